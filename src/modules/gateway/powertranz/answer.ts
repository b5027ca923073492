/**
 * Reads an answer of PowerTranz and judges it. Names are read in any case, because its own pages
 * show both; values of another type than described count as absent.
 *
 * An approval needs everything to agree: `Approved`, code 00, and where they are repeated the
 * identifier, the amount and the currency. Whatever contradicts itself is not believed in either
 * direction: the outcome is unknown and is looked up.
 */

import type { Money } from "../../../kit/money.ts";
import { AVS_ANSWERS, type AvsAnswer, type Checks, type Decided } from "../port.ts";
import {
  APPROVED,
  APPROVED_SENTENCE,
  blamesSettings,
  CONDITIONAL_CODES,
  declineSentence,
  isDecline,
  leavesUnknown,
  NOT_ENROLLED,
} from "./codes.ts";
import { CURRENCY_NUMBERS } from "./numeric-codes.ts";
import { GatewayProblem } from "./problem.ts";
import { majorUnits } from "./sale-body.ts";

type Fields = ReadonlyMap<string, unknown>;

export interface Answer {
  readonly isApproved: boolean | undefined;
  readonly code: string;
  readonly errors: readonly string[];
  readonly identifier: string | undefined;
  /** Of a void or a refund: the sale. */
  readonly originalIdentifier: string | undefined;
  readonly externalIdentifier: string | undefined;
  readonly type: number | undefined;
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  readonly spiToken: string | undefined;
  readonly redirectData: string | undefined;
  readonly checks: Checks;
  /** Of 3-D Secure: `Y`, `A`, `U`, `N`, `R` …, `none` for a card that takes no part. */
  readonly authentication: string | undefined;
  /** What the card's bank wants the customer to read. */
  readonly cardholderInfo: string | undefined;
}

const INFO_MAX = 128;

export function readAnswer(json: unknown): Answer {
  const fields = fieldsOf(json);
  const risk = fieldsOf(fields.get("riskmanagement"));
  const threeDSecure = fieldsOf(risk.get("threedsecure"));
  const errors = fields.get("errors");
  return {
    isApproved: booleanOf(fields, "approved"),
    code: textOf(fields, "isoresponsecode") ?? "",
    errors: Array.isArray(errors) ? errors.map(errorCodeOf) : [],
    identifier: textOf(fields, "transactionidentifier")?.toLowerCase(),
    originalIdentifier: textOf(fields, "originaltrxnidentifier")?.toLowerCase(),
    externalIdentifier: textOf(fields, "externalidentifier"),
    type: numberOf(fields, "transactiontype"),
    amount: numberOf(fields, "totalamount"),
    currency: textOf(fields, "currencycode"),
    spiToken: textOf(fields, "spitoken"),
    redirectData: textOf(fields, "redirectdata"),
    // A lookup has them at the top.
    checks: checksOf(risk.has("avsresponsecode") || risk.has("cvvresponsecode") ? risk : fields),
    authentication: textOf(threeDSecure, "authenticationstatus") ?? notEnrolled(threeDSecure),
    cardholderInfo: textOf(threeDSecure, "cardholderinfo")?.slice(0, INFO_MAX),
  };
}

function notEnrolled(threeDSecure: Fields): string | undefined {
  return textOf(threeDSecure, "responsecode") === NOT_ENROLLED ? "none" : undefined;
}

export function fieldsOf(json: unknown): Fields {
  if (json === null || typeof json !== "object" || Array.isArray(json)) return new Map();
  return new Map(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]));
}

/** An error counts also where its code cannot be read: it speaks against the answer beside it. */
function errorCodeOf(error: unknown): string {
  const code = fieldsOf(error).get("code");
  return typeof code === "number" ? String(code) : typeof code === "string" ? code : "";
}

export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(fields: Fields, name: string): number | undefined {
  const value = fields.get(name);
  return typeof value === "number" ? value : undefined;
}

function booleanOf(fields: Fields, name: string): boolean | undefined {
  const value = fields.get(name);
  return typeof value === "boolean" ? value : undefined;
}

/** The letters of the card networks, brought to the five that merchants are shown. */
const AVS_LETTERS: Readonly<Record<AvsAnswer, string>> = {
  M: "MYXDF",
  A: "AB",
  Z: "ZWP",
  N: "N",
  G: "GSUICRE",
};

function checksOf(fields: Fields): Checks {
  const avs = textOf(fields, "avsresponsecode");
  const cvv = textOf(fields, "cvvresponsecode");
  const known = AVS_ANSWERS.find((one) => [...AVS_LETTERS[one]].some((letter) => letter === avs));
  return {
    ...(known === undefined ? {} : { avs: known }),
    ...(cvv === "M" || cvv === "N" ? { cvv } : {}),
  };
}

/** What was asked for; an answer that names something else is about something else. */
export interface Expected {
  /** Undefined: the gateway chose it. */
  readonly identifier: string | undefined;
  readonly originalIdentifier?: string;
  readonly amount: Money;
}

/**
 * The answer of a call that moves money. It throws where the outcome is unknown. `isLookup`: it
 * need not say `Approved`, which lookups leave out.
 */
export function decidedBy(answer: Answer, expected: Expected, isLookup = false): Decided {
  const { code, errors, checks } = answer;
  const isSaidApproved = answer.isApproved ?? (isLookup && code === APPROVED);
  const isClean = code !== APPROVED || errors.length === 0;
  if (isSaidApproved !== (code === APPROVED) || !isClean || CONDITIONAL_CODES.has(code))
    throw new GatewayProblem(
      "contradiction",
      `Approved ${answer.isApproved}, ${describeCodes(answer)}`,
    );
  if (code === APPROVED) {
    demandSame(answer, expected);
    return { outcome: "approved", code, message: APPROVED_SENTENCE, ...checks };
  }
  if (leavesUnknown(code, errors))
    throw new GatewayProblem("unknown_outcome", describeCodes(answer));
  if (blamesSettings(code, errors)) throw new GatewayProblem("settings", describeCodes(answer));
  if (isDecline(code)) return declined(answer);
  throw new GatewayProblem("unknown_outcome", describeCodes(answer));
}

export function declined({ code, checks, cardholderInfo = "" }: Answer): Decided {
  const message = `${declineSentence(code)} ${cardholderInfo}`.trim();
  return { outcome: "declined", code, message, ...checks };
}

/** Code and errors, for operators: the gateway's own words may repeat what they were sent. */
export function describeCodes({ code, errors }: Answer): string {
  const safe = [code, ...errors].map((one) => one.replace(/[^A-Za-z0-9]/g, "").slice(0, 8));
  return `code ${safe[0] || "none"}, errors ${safe.slice(1).join(" ") || "none"}`;
}

function demandSame(answer: Answer, { identifier, originalIdentifier, amount }: Expected): void {
  const fits = <T>(said: T | undefined, asked: T | undefined) =>
    said === undefined || asked === undefined || said === asked;
  const isSame =
    fits(answer.identifier, identifier) &&
    fits(answer.originalIdentifier, originalIdentifier) &&
    fits(answer.amount, majorUnits(amount)) &&
    fits(answer.currency, CURRENCY_NUMBERS[amount.currency]);
  if (!isSame) throw new GatewayProblem("contradiction", "it approved another sale");
}
