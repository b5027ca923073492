/**
 * Who is paid, as a bank reads it: an account at a bank of the country, an account abroad, or a
 * person without one, for whom the bank writes a cheque and looks at the document that we name
 * (Decision 0048).
 */

import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { SWIFT_CODE } from "../../../kit/ids.ts";
import type { CountryCode } from "../../../kit/vocabulary.ts";
import { bankLines, bankText } from "./bank-text.ts";
import { type Element, element } from "./xml.ts";

export const NAME_LENGTH_MAX = 140;
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
export function payeeElements(payee: BankPayee, country: CountryCode): Element[] {
  if (payee.kind === "person") return personElements(payee);
  if (payee.kind === "local") return localElements(payee, country);
  const { name, address, account, bank, between } = payee;
  return [
    ...(between === undefined ? [] : [element("IntrmyAgt1", [bankAbroad(between)])]),
    element("CdtrAgt", [bankAbroad(bank)]),
    element("Cdtr", [nameElement(name), addressElement(address)]),
    element("CdtrAcct", [accountOf(account)]),
  ];
}

function localElements(payee: BankPayee & { kind: "local" }, country: CountryCode): Element[] {
  const { name, bankName, branch, accountType, account } = payee;
  const bank = element("FinInstnId", [
    nameElement(bankName),
    element("PstlAdr", [element("Ctry", country)]),
  ]);
  return [
    element("CdtrAgt", [
      bank,
      branch === undefined ? undefined : element("BrnchId", [nameElement(branch)]),
    ]),
    element("Cdtr", [nameElement(name)]),
    element("CdtrAcct", [
      accountOf(account),
      accountType === undefined
        ? undefined
        : element("Tp", [element("Cd", ACCOUNT_CODES[accountType])]),
    ]),
  ];
}

function personElements({ name, phone, document }: BankPayee & { kind: "person" }): Element[] {
  const number = element("Othr", [
    element("Id", bankText(document.number, 35)),
    element("SchmeNm", [element("Cd", DOCUMENT_CODES[document.type])]),
  ]);
  // A cheque of the bank, fetched there by whoever it is for.
  const fetched = element("DlvryMtd", [element("Cd", "PUCD")]);
  return [
    element("ChqInstr", [element("ChqTp", "BCHQ"), fetched]),
    element("Cdtr", [
      nameElement(name),
      element("Id", [element("PrvtId", [number])]),
      contactElement(phone),
    ]),
  ];
}

/** The schema wants the country's code apart; a number that cannot be parted is left out. */
function contactElement(phone: string): Element | undefined {
  const parsed = parsePhoneNumberFromString(phone);
  if (parsed === undefined) return undefined;
  const number = `+${parsed.countryCallingCode}-${parsed.nationalNumber}`;
  return element("CtctDtls", [element("PhneNb", number)]);
}

function bankAbroad({ name, address, codes }: BankAbroad): Element {
  const swift = codes.find((code) => SWIFT_CODE.test(code));
  const routing = codes.find((code) => !SWIFT_CODE.test(code));
  return element("FinInstnId", [
    swift === undefined ? undefined : element("BICFI", swift),
    routing === undefined
      ? undefined
      : element("ClrSysMmbId", [
          element("ClrSysId", [element("Cd", "USABA")]),
          element("MmbId", routing),
        ]),
    nameElement(name),
    address === undefined ? undefined : addressElement(address),
  ]);
}

export function agentByCode(swift: string): Element {
  return element("FinInstnId", [element("BICFI", swift)]);
}

/** An IBAN has a place of its own, and is known by its check digits. */
export function accountOf(number: string): Element {
  const inside = isIban(number)
    ? element("IBAN", number)
    : element("Othr", [element("Id", number)]);
  return element("Id", [inside]);
}

function isIban(number: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(number)) return false;
  const moved = number.slice(4) + number.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

function nameElement(name: string): Element {
  return element("Nm", bankText(name, NAME_LENGTH_MAX));
}

function addressElement(address: string): Element {
  const lines = bankLines(address, ADDRESS);
  return element(
    "PstlAdr",
    lines.map((line) => element("AdrLine", line)),
  );
}
