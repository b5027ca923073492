/**
 * From which amount on a second person agrees at `/operator` (Decision 0119). The setting is in
 * TTD; other currencies are compared by the rates that price fees.
 */

import type { Config } from "../../../infra/config.ts";
import type { Money } from "../../../kit/money.ts";
import { minorPerDollarOf } from "../../platforms/fees.ts";

export function needsSecondPerson(
  { secondPersonFromTtd }: Pick<Config, "secondPersonFromTtd">,
  { currency, minor }: Money,
  at: Date,
): boolean {
  const from = BigInt(secondPersonFromTtd) * 100n;
  return minor * minorPerDollarOf("TTD", at) >= from * minorPerDollarOf(currency, at);
}
