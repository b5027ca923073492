/** Addresses: limits of each field, plain characters, and the fields that go together. */

import type { Problem } from "./answers.ts";
import { type Fields, read } from "./fields.ts";

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
    if (!(address instanceof Map))
      return [{ code: "38", message: `Field is invalid: ${name}` } as const];
    return [...RULES.flatMap((rule) => ruleProblems(address, rule)), ...groupProblems(address)].map(
      (field) =>
        has3ds
          ? { code: "58", message: `Invalid 3DS field: ${name}.${field}` }
          : { code: "38", message: `Field is invalid: ${name}.${field}` },
    );
  });
}

function ruleProblems(address: Fields, { name, lengthMax, pattern }: Rule): string[] {
  const value = read(address, name);
  if (value === undefined) return [];
  const isGood = typeof value === "string" && value.length <= lengthMax && pattern.test(value);
  return isGood ? [] : [name];
}

function groupProblems(address: Fields): string[] {
  const absent = TOGETHER.filter((name) => (read(address, name) ?? "") === "");
  return absent.length === TOGETHER.length ? [] : absent;
}
