/** Addresses: limits of each field, plain characters, and the fields that go together. */

import { type Fields, read } from "./fields.ts";
import { invalid, invalid3ds, type Problem } from "./problems.ts";

interface Rule {
  readonly name: string;
  readonly lengthMax: number;
  readonly pattern: RegExp;
}

const PLAIN = /^[A-Za-z0-9 '-]*$/;
const PLAIN_LINE = /^[A-Za-z0-9 '.-]*$/;

const RULES: readonly Rule[] = [
  { name: "FirstName", lengthMax: 30, pattern: PLAIN },
  { name: "LastName", lengthMax: 30, pattern: PLAIN },
  { name: "Line1", lengthMax: 30, pattern: PLAIN_LINE },
  { name: "Line2", lengthMax: 30, pattern: PLAIN_LINE },
  { name: "City", lengthMax: 25, pattern: PLAIN_LINE },
  { name: "County", lengthMax: 25, pattern: PLAIN_LINE },
  // A subdivision without its country.
  { name: "State", lengthMax: 25, pattern: /^(?![A-Z]{2}-)[A-Za-z0-9 '.-]*$/ },
  { name: "PostalCode", lengthMax: 10, pattern: /^[A-Za-z0-9]*$/ },
  { name: "CountryCode", lengthMax: 3, pattern: /^(\d{3})?$/ },
  { name: "EmailAddress", lengthMax: 50, pattern: /^([!-~]+@[!-~]+)?$/ },
  { name: "PhoneNumber", lengthMax: 25, pattern: /^\d*$/ },
];

const TOGETHER = ["Line1", "City", "CountryCode"];

export function addressProblems(body: Fields, has3ds: boolean): Problem[] {
  return ["BillingAddress", "ShippingAddress"].flatMap((name) => {
    const address = read(body, name);
    if (address === undefined) return [];
    if (!(address instanceof Map)) return [invalid(name)];
    const fields = [...RULES.flatMap((rule) => wrongIn(address, rule)), ...absentIn(address)];
    return fields.map((field) => (has3ds ? invalid3ds : invalid)(`${name}.${field}`));
  });
}

function wrongIn(address: Fields, { name, lengthMax, pattern }: Rule): string[] {
  const value = read(address, name);
  if (value === undefined) return [];
  const isGood = typeof value === "string" && value.length <= lengthMax && pattern.test(value);
  return isGood ? [] : [name];
}

function absentIn(address: Fields): string[] {
  const absent = TOGETHER.filter((name) => (read(address, name) ?? "") === "");
  return absent.length === TOGETHER.length ? [] : absent;
}
