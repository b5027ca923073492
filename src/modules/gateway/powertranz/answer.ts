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
  readonly externalIdentifier: string | undefined;
  readonly type: number | undefined;
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  readonly spiToken: string | undefined;
  readonly redirectData: string | undefined;
  readonly checks: Checks;
  /** Of 3-D Secure: `Y`, `A`, `U`, `N`, `R` … */
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
    errors: Array.isArray(errors)
      ? errors.flatMap((one) => textOf(fieldsOf(one), "code") ?? [])
      : [],
    identifier: textOf(fields, "transactionidentifier")?.toLowerCase(),
    externalIdentifier: textOf(fields, "externalidentifier"),
    type: numberOf(fields, "transactiontype"),
    amount: numberOf(fields, "totalamount"),
    currency: textOf(fields, "currencycode"),
    spiToken: textOf(fields, "spitoken"),
    redirectData: textOf(fields, "redirectdata"),
    // A lookup has them at the top.
    checks: checksOf(risk.has("avsresponsecode") || risk.has("cvvresponsecode") ? risk : fields),
    authentication: textOf(threeDSecure, "authenticationstatus"),
    cardholderInfo: textOf(threeDSecure, "cardholderinfo")?.slice(0, INFO_MAX),
  };
}

export function fieldsOf(json: unknown): Fields {
  if (json === null || typeof json !== "object" || Array.isArray(json)) return new Map();
  return new Map(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]));
}

function textOf(fields: Fields, name: string): string | undefined {
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
  const known = AVS_ANSWERS.find((one) => avs !== undefined && AVS_LETTERS[one].includes(avs));
  return {
    ...(known === undefined ? {} : { avs: known }),
    ...(cvv === "M" || cvv === "N" ? { cvv } : {}),
  };
}

export interface Expected {
  readonly identifier: string;
  readonly amount: Money;
}

/** The answer of a call that moves money. It throws where the outcome is unknown. */
export function decidedBy(answer: Answer, expected: Expected): Decided {
  const { code, errors, checks } = answer;
  const isSaidApproved = answer.isApproved ?? code === APPROVED;
  if (isSaidApproved !== (code === APPROVED) || CONDITIONAL_CODES.has(code))
    throw new GatewayProblem("contradiction", `Approved ${answer.isApproved} with code ${code}`);
  if (code === APPROVED) {
    demandSame(answer, expected);
    return { outcome: "approved", code, message: APPROVED_SENTENCE, ...checks };
  }
  if (leavesUnknown(code, errors)) throw new GatewayProblem("unknown_outcome", told(answer));
  if (blamesSettings(code, errors)) throw new GatewayProblem("settings", told(answer));
  if (isDecline(code)) return declined(answer);
  throw new GatewayProblem("unknown_outcome", told(answer));
}

export function declined({ code, checks, cardholderInfo = "" }: Answer): Decided {
  const message = `${declineSentence(code)} ${cardholderInfo}`.trim();
  return { outcome: "declined", code, message, ...checks };
}

/** Code and errors, for operators: the gateway's own words may repeat what they were sent. */
export function told({ code, errors }: Answer): string {
  const safe = [code, ...errors].map((one) => one.replace(/[^A-Za-z0-9]/g, "").slice(0, 8));
  return `code ${safe[0] || "none"}, errors ${safe.slice(1).join(" ") || "none"}`;
}

function demandSame(answer: Answer, { identifier, amount }: Expected): void {
  const { currency } = answer;
  const isSame =
    (answer.identifier === undefined || answer.identifier === identifier) &&
    (answer.amount === undefined || answer.amount === majorUnits(amount)) &&
    (currency === undefined || currency === CURRENCY_NUMBERS[amount.currency]);
  if (!isSame) throw new GatewayProblem("contradiction", "it approved another sale");
}
