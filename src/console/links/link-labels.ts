/**
 * What the fields of a payment link are called in the console, and how it says there what the API
 * says in its own names.
 */

import { BOTH_WAYS, CROSSED, NO_AMOUNT } from "../../modules/payment-links/create-link.ts";
import type { SentForm } from "../refused.ts";

export const LINK_LABELS = {
  title: "What is paid for",
  description: "Description",
  currency: "Currency",
  amount: "Amount",
  amount_min: "From",
  amount_max: "To",
  fee_structure: "Who pays the fee",
  max_payments: "How often it may be paid",
  expires_at: "Last day",
  reference_label: "What the customer is asked for",
  success_message: "What the customer reads after paying",
  success_url: "Where the customer goes after paying",
  language: "Language",
  label: "Label",
} as const;

export const WORDS_OF_FORM: SentForm = {
  ...LINK_LABELS,
  [NO_AMOUNT]: "Enter an amount, or “From” and “To”.",
  [BOTH_WAYS]: "Enter an amount, or “From” and “To”, not both.",
  [CROSSED]: "“To” must not be less than “From”.",
};
