/**
 * The payee in a bank's file: an account at a bank of the country, an account abroad, or a person
 * without one, who collects a cheque and shows the document that we name (Decision 0048).
 */

import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { SWIFT_CODE } from "../../../kit/ids.ts";
import type { CountryCode } from "../../../kit/vocabulary.ts";
import { bankLines, bankText } from "./bank-text.ts";
import type { Element } from "./xml.ts";

const NAME_LENGTH_MAX = 140;
const ADDRESS = { length: 70, count: 7 };

interface BankAbroad {
  readonly name: string;
  readonly address?: string | undefined;
  /** SWIFT codes or ABA routing numbers, as far as they are known. */
  readonly codes: readonly string[];
}

export type BankPayee =
  | {
      readonly kind: "local";
      readonly name: string;
      readonly bankName: string;
      readonly branch?: string | undefined;
      readonly accountType?: "chequing" | "savings" | undefined;
      readonly account: string;
    }
  | {
      readonly kind: "abroad";
      readonly name: string;
      readonly address: string;
      readonly account: string;
      readonly bank: BankAbroad;
      readonly between?: BankAbroad | undefined;
    }
  | {
      readonly kind: "person";
      readonly name: string;
      readonly phone: string;
      readonly document: { readonly type: DocumentType; readonly number: string };
    };

type DocumentType = "driver_permit" | "national_id" | "passport";

/** The codes of the international lists for documents and kinds of account. */
const DOCUMENT_CODES: Readonly<Record<DocumentType, string>> = {
  driver_permit: "DRLC",
  national_id: "NIDN",
  passport: "CCPT",
};
const ACCOUNT_CODES = { chequing: "CACC", savings: "SVGS" } as const;

/** In the order of the schema: cheque, bank in between, bank, payee, account. */
export function payeeElements(payee: BankPayee, country: CountryCode): Element {
  switch (payee.kind) {
    case "local":
      return localElements(payee, country);
    case "abroad":
      return {
        IntrmyAgt1: payee.between && { FinInstnId: bankAbroad(payee.between) },
        CdtrAgt: { FinInstnId: bankAbroad(payee.bank) },
        Cdtr: { Nm: bankName(payee.name), PstlAdr: addressLines(payee.address) },
        CdtrAcct: { Id: accountId(payee.account) },
      };
    case "person":
      return personElements(payee);
  }
}

function localElements(payee: BankPayee & { kind: "local" }, country: CountryCode): Element {
  const { branch, accountType } = payee;
  return {
    CdtrAgt: {
      FinInstnId: { Nm: bankName(payee.bankName), PstlAdr: { Ctry: country } },
      BrnchId: branch === undefined ? undefined : { Nm: bankName(branch) },
    },
    Cdtr: { Nm: bankName(payee.name) },
    CdtrAcct: {
      Id: accountId(payee.account),
      Tp: accountType && { Cd: ACCOUNT_CODES[accountType] },
    },
  };
}

function personElements({ name, phone, document }: BankPayee & { kind: "person" }): Element {
  const parsed = parsePhoneNumberFromString(phone);
  const number = {
    Id: bankText(document.number, 35),
    SchmeNm: { Cd: DOCUMENT_CODES[document.type] },
  };
  return {
    // A cheque of the bank, collected there by the payee.
    ChqInstr: { ChqTp: "BCHQ", DlvryMtd: { Cd: "PUCD" } },
    Cdtr: {
      Nm: bankName(name),
      Id: { PrvtId: { Othr: number } },
      // The schema wants the country's code apart; a number that cannot be parsed is left out.
      CtctDtls: parsed && { PhneNb: `+${parsed.countryCallingCode}-${parsed.nationalNumber}` },
    },
  };
}

function bankAbroad({ name, address, codes }: BankAbroad): Element {
  const routing = codes.find((code) => !SWIFT_CODE.test(code));
  return {
    BICFI: codes.find((code) => SWIFT_CODE.test(code)),
    ClrSysMmbId: routing === undefined ? undefined : { ClrSysId: { Cd: "USABA" }, MmbId: routing },
    Nm: bankName(name),
    PstlAdr: address === undefined ? undefined : addressLines(address),
  };
}

/** An IBAN has an element of its own, and is recognised by its check digits. */
export function accountId(number: string): Element {
  return isIban(number) ? { IBAN: number } : { Othr: { Id: number } };
}

function isIban(number: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(number)) return false;
  const moved = number.slice(4) + number.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

export function bankName(name: string): string {
  return bankText(name, NAME_LENGTH_MAX);
}

function addressLines(address: string): Element {
  return { AdrLine: bankLines(address, ADDRESS) };
}
