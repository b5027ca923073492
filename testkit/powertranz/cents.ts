/**
 * Amounts that decide, for somebody who tries the service by hand: the cents of a charge, a void
 * and a refund. Amounts under one dollar decide nothing, because the small charge that proves a
 * card is a random one.
 */

import type { FaultKind } from "./fault-kinds.ts";

const FREE_MINOR_MAX = 99;

const DECLINES: Readonly<Record<number, string>> = { 91: "05", 92: "51" };

const FAULTS: Readonly<Record<number, { readonly kind: FaultKind; readonly seconds?: number }>> = {
  93: { kind: "slow-after", seconds: 25 },
  94: { kind: "cut-after" },
  95: { kind: "cut-before" },
  96: { kind: "iso-96-with-effect" },
  97: { kind: "500-html-after" },
  98: { kind: "iso-91-without-effect" },
};

export const CENTS_HELP =
  "Cents of the amount charged, fee included, from 1.00 on: .91 declined 05, .92 declined 51, " +
  ".93 answers after 25 s, .94 approved and cut off, .95 cut off before, .96 system error though " +
  "approved, .97 an error page though approved, .98 host timeout and not approved. Voids and " +
  "refunds alike.";

export function declineByCents(amountMinor: number): string | undefined {
  return amountMinor > FREE_MINOR_MAX ? DECLINES[amountMinor % 100] : undefined;
}

export function faultByCents(
  amountMinor: number,
): { readonly kind: FaultKind; readonly seconds?: number } | undefined {
  return amountMinor > FREE_MINOR_MAX ? FAULTS[amountMinor % 100] : undefined;
}
