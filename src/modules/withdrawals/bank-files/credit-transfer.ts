/**
 * Payments as a file for the bank: ISO 20022 `pain.001.001.09` (Decision 0048).
 *
 * No clock, database or random value is used here, and the order of the payments is the caller's,
 * so the same batch is the same bytes. Elements are in the order of the schema.
 */

import assert from "node:assert/strict";
import { addMoney, formatMoney, type Money } from "../../../kit/money.ts";
import type { CountryCode } from "../../../kit/vocabulary.ts";
import { accountId, type BankPayee, bankName, payeeElements } from "./bank-payee.ts";
import { type Element, renderXml } from "./xml.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";

/** Where our own money is. */
interface PayingAccount {
  readonly name: string;
  readonly account: string;
  /** Its SWIFT code. */
  readonly bank: string;
}

export interface BankPayment {
  /** Comes back with the bank's answer. */
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

/** 32 characters, of the 35 that are allowed. */
export function endToEndIdOf(reference: string): string {
  return reference.replaceAll("-", "");
}

/** Transfers and cheques are different orders, so each method is a part of its own. */
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
  const head = {
    MsgId: file.messageId,
    CreDtTm: file.madeAt.toISOString().replace(/\.\d+/, ""),
    ...counted(file.payments),
    InitgPty: { Nm: bankName(file.from.name) },
  };
  const parts = [...partOf(file, "TRF"), ...partOf(file, "CHK")];
  const initiation = { GrpHdr: head, PmtInf: parts };
  const document = { "@xmlns": NAMESPACE, CstmrCdtTrfInitn: initiation };
  return Buffer.from(renderXml({ Document: document }));
}

function partOf(file: BankFile, method: Method): Element[] {
  const payments = file.payments.filter((payment) => payment.method === method);
  const [first] = payments;
  if (first === undefined) return [];
  return [
    {
      PmtInfId: partIdOf(file.messageId, method),
      PmtMtd: method,
      ...counted(payments),
      ReqdExctnDt: { Dt: file.bankDay },
      Dbtr: { Nm: bankName(file.from.name) },
      DbtrAcct: { Id: accountId(file.from.account), Ccy: first.amount.currency },
      DbtrAgt: { FinInstnId: { BICFI: file.from.bank } },
      // We bear the bank's charges: payees get the amount that was announced.
      ChrgBr: "DEBT",
      CdtTrfTxInf: payments.map(({ amount, payee, transactionId, endToEndId }) => ({
        PmtId: { InstrId: transactionId, EndToEndId: endToEndId },
        Amt: { InstdAmt: { "@Ccy": amount.currency, "#": formatMoney(amount) } },
        ...payeeElements(payee, file.countryCode),
        RmtInf: { Ustrd: transactionId },
      })),
    },
  ];
}

function counted(payments: readonly BankPayment[]): Element {
  return { NbOfTxs: String(payments.length), CtrlSum: formatMoney(totalOf(payments)) };
}
