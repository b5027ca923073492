/** Identifiers we hand out. They carry no meaning, and knowing one grants nothing. */

import { randomInt, randomUUID } from "node:crypto";
import { chanceBytes } from "./chance.ts";
import type { CountryCode, Environment } from "./vocabulary.ts";

/** As we write them: in small letters. Anything else is refused without a query. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A UUID of version 7: the milliseconds, then chance. Requests of one time are neighbours in the
 * index of their log (Decision 0087). The process's own clock will do: nothing reads it back.
 */
export function newRequestId(): string {
  const ms = Math.floor(performance.timeOrigin + performance.now());
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

export function newGrantId(): string {
  return randomUUID();
}

/**
 * Ten digits, never beginning with 0, so that the number survives clients that send it as a number.
 */
export function newAccountNumber(): string {
  return String(randomInt(1_000_000_000, 10_000_000_000));
}

/** Crockford's: no I, L, O or U, so that none is misread. Its order is that of its bytes. */
const BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** Of a bank: party, country, location, and for one branch three more. */
export const SWIFT_CODE = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

export const TRANSACTION_ID = /^(?:SB-)?[A-Z]{2}-[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * `[SB-]<CC>-` and 26 characters as of a ULID: 48 bits of time, then 80 bits of chance. Those of
 * one platform stand in the order of their milliseconds, so that neighbours in time are neighbours
 * in an index. Written by hand because the time must be the database's (Decision 0003, Decision
 * 0026), which is all that a library would add.
 */
export function newTransactionId(parts: {
  environment: Environment;
  countryCode: CountryCode;
  at: Date;
}): string {
  let chance = "";
  for (const byte of chanceBytes(RANDOM_CHARACTERS)) chance += BASE32.charAt(byte % 32);
  return firstTransactionIdAt(parts) + chance;
}

/** As its id names it. */
export function environmentOfTransaction(transactionId: string): Environment {
  return transactionId.startsWith("SB-") ? "sandbox" : "live";
}

/** What every id of that millisecond and later is greater than, and every earlier one is not. */
export function firstTransactionIdAt(parts: {
  environment: Environment;
  countryCode: CountryCode;
  at: Date;
}): string {
  let left = parts.at.getTime();
  let time = "";
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    time = BASE32.charAt(left % 32) + time;
    left = Math.floor(left / 32);
  }
  const mark = parts.environment === "sandbox" ? "SB-" : "";
  return `${mark}${parts.countryCode}-${time}`;
}
