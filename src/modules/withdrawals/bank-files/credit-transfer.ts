/**
 * Payments as a file for the bank: ISO 20022 `pain.001.001.09` (Decision 0048).
 *
 * The rule that matters: nothing here asks a clock, a database or chance, and the order of the
 * payments is the caller's, so the same batch is the same bytes. Elements stand in the order of the
 * schema; leaving one out is done with undefined.
 */

import assert from "node:assert/strict";
import { addMoney, formatMoney, type Money } from "../../../kit/money.ts";
import type { CountryCode } from "../../../kit/vocabulary.ts";
import {
  accountOf,
  agentByCode,
  type BankPayee,
  NAME_LENGTH_MAX,
  payeeElements,
} from "./bank-payee.ts";
import { bankText } from "./bank-text.ts";
import { type Element, element, renderXml } from "./xml.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";

/** Where our own money is. */
interface PayingAccount {
  readonly name: string;
  readonly account: string;
  /** Its SWIFT code. */
  readonly bank: string;
}

export interface BankPayment {
  /** What the bank and we call it: it comes back with the bank's answer. */
  readonly endToEndId: string;
  readonly transactionId: string;
  readonly amount: Money;
  readonly method: Method;
  readonly payee: BankPayee;
}

export interface BankFile {
  readonly messageId: string;
  readonly madeAt: Date;
  /** The day it is to be paid, as `2026-11-15`. */
  readonly bankDay: string;
  readonly countryCode: CountryCode;
  readonly from: PayingAccount;
  readonly payments: readonly BankPayment[];
}

/** What the bank and the payment call each other by: 32 characters, of the 35 that are allowed. */
export function endToEndIdOf(reference: string): string {
  return reference.replaceAll("-", "");
}

/** Transfers and cheques are different orders, so each kind is a part of its own. */
export type Method = "TRF" | "CHK";

const MARKS: Readonly<Record<Method, string>> = { TRF: "T", CHK: "C" };

export function partIdOf(messageId: string, method: Method): string {
  return `${messageId}-${MARKS[method]}`;
}

export function totalOf(payments: readonly BankPayment[]): Money {
  const [first, ...others] = payments.map(({ amount }) => amount);
  assert(first !== undefined, "a file without a payment");
  return others.reduce(addMoney, first);
}

export function renderCreditTransfer(file: BankFile): Buffer {
  const head = element("GrpHdr", [
    element("MsgId", file.messageId),
    element("CreDtTm", file.madeAt.toISOString().replace(/\.\d+/, "")),
    ...counted(file.payments),
    element("InitgPty", [element("Nm", nameOf(file))]),
  ]);
  const parts = [partOf(file, "TRF"), partOf(file, "CHK")];
  const initiation = element("CstmrCdtTrfInitn", [head, ...parts]);
  return Buffer.from(renderXml(element("Document", [initiation], { xmlns: NAMESPACE })));
}

function partOf(file: BankFile, method: Method): Element | undefined {
  const payments = file.payments.filter((payment) => payment.method === method);
  const [first] = payments;
  if (first === undefined) return undefined;
  return element("PmtInf", [
    element("PmtInfId", partIdOf(file.messageId, method)),
    element("PmtMtd", method),
    ...counted(payments),
    element("ReqdExctnDt", [element("Dt", file.bankDay)]),
    element("Dbtr", [element("Nm", nameOf(file))]),
    element("DbtrAcct", [accountOf(file.from.account), element("Ccy", first.amount.currency)]),
    element("DbtrAgt", [agentByCode(file.from.bank)]),
    // What the bank takes for it is ours to bear: payees get the amount they were told.
    element("ChrgBr", "DEBT"),
    ...payments.map((payment) => paymentElement(file, payment)),
  ]);
}

function paymentElement(file: BankFile, payment: BankPayment): Element {
  const { amount } = payment;
  const id = element("PmtId", [
    element("InstrId", payment.transactionId),
    element("EndToEndId", payment.endToEndId),
  ]);
  const instructed = element("InstdAmt", formatMoney(amount), { Ccy: amount.currency });
  return element("CdtTrfTxInf", [
    id,
    element("Amt", [instructed]),
    ...payeeElements(payment.payee, file.countryCode),
    element("RmtInf", [element("Ustrd", payment.transactionId)]),
  ]);
}

function counted(payments: readonly BankPayment[]): Element[] {
  return [
    element("NbOfTxs", String(payments.length)),
    element("CtrlSum", formatMoney(totalOf(payments))),
  ];
}

function nameOf({ from }: BankFile): string {
  return bankText(from.name, NAME_LENGTH_MAX);
}
