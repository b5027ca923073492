/** A payment link as it is answered. */

import type { Config } from "../../infra/config.ts";
import { CURRENCIES, formatMoney, money } from "../../kit/money.ts";
import {
  amountSchema,
  countSchema,
  flagSchema,
  orNull,
  textSchema,
  timestampSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { viewOf } from "../../kit/view-of.ts";
import { ENVIRONMENTS, LANGUAGES } from "../../kit/vocabulary.ts";
import { FEE_STRUCTURES } from "../platforms/fee-quote.ts";
import { itemsView, viewItems } from "../transactions/order-items.ts";
import { type LinkRow, linkUrl, stateOf } from "./payment-link.ts";

const EXAMPLE_URL = "https://pay.example.com/pay/k7m2qx9sdh4vwp";
const address = (about: string, below = "") =>
  textSchema(about, `${EXAMPLE_URL}${below}`, { format: "uri" });

const linkFields = {
  id: uuidSchema("Of the link."),
  url: address("Give it to customers: by mail, on paper, in a message."),
  qr_svg_url: address("The same as a QR code, for print.", "/qr.svg"),
  qr_png_url: address("The same as a picture of pixels.", "/qr.png"),
  active: flagSchema("False: switched off.", true),
  state: wordSchema(
    ["open", "off", "expired", "full"],
    "Whether it can be paid, and if not, why. Full: every slot is paid or being paid.",
    "open",
  ),
  environment: wordSchema(ENVIRONMENTS, "Where its payments are made.", "sandbox"),
  title: textSchema("What is paid for.", "Yoga class"),
  label: orNull(textSchema("Your own, to group links by. Customers do not see it.", "Classes")),
  currency: wordSchema(CURRENCIES, "Of every amount here.", "TTD"),
  amount: orNull(amountSchema("What is to be paid; null where the customer chooses.", "120.00")),
  amount_min: orNull(amountSchema("The least that may be chosen.", "10.00"), null),
  amount_max: orNull(amountSchema("The most.", "500.00"), null),
  description: orNull(textSchema("Shown under the title.", "Saturdays at 7, by the jetty")),
  items: orNull(itemsView, null),
  fee_structure: wordSchema(FEE_STRUCTURES, "Who pays the fee.", "customer_pay"),
  max_payments: orNull(countSchema("How often it may be paid; null: any number.", 20)),
  expires_at: orNull(timestampSchema("When it closes; null: never."), null),
  reference_label: orNull(textSchema("What the customer is asked for.", "Your name")),
  success_message: orNull(textSchema("What the customer reads after paying.", "See you there!")),
  success_url: orNull(
    textSchema("Where the browser goes after paying.", "https://shop.example/paid", {
      format: "uri",
    }),
    null,
  ),
  language: orNull(wordSchema(LANGUAGES, "Of its pages; null: the browser's.", "en"), null),
  paid_count: countSchema("Payments that succeeded.", 3),
  paid_total: amountSchema("What was asked for in them. Refunds are not taken off.", "360.00"),
  created_at: timestampSchema("When it was made."),
  changed_at: timestampSchema("When it was last changed."),
};

export const linkView = Type.Object(linkFields, { title: "PaymentLink" });

export function viewLink(config: Pick<Config, "http">, row: LinkRow) {
  const url = linkUrl(config, row.slug);
  return { ...viewRow(row), url, qr_svg_url: `${url}/qr.svg`, qr_png_url: `${url}/qr.png` };
}

const viewRow = viewOf(linkFields, (row: LinkRow) => {
  const shown = (minor: bigint | null) =>
    minor === null ? null : formatMoney(money(row.currency, minor));
  return {
    id: row.link_id,
    url: "",
    qr_svg_url: "",
    qr_png_url: "",
    active: row.is_active,
    state: stateOf(row),
    amount: shown(row.amount_minor),
    amount_min: shown(row.amount_min_minor),
    amount_max: shown(row.amount_max_minor),
    items: row.items && viewItems(row.items, row.currency),
    paid_total: formatMoney(money(row.currency, row.paid_minor)),
  };
});
