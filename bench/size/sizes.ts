/** Which sizes are filled, and whether the disk has room for one. */

import { DISK_WHILE_FILLING_GB } from "./fill-size.ts";
import type { Size } from "./payment-rows.ts";
import type { LeftOut, SizeFigures } from "./size-results.ts";

const EACH_MAX = 500;
const ONE = [100_000, 1_000_000, 10_000_000];
const MANY = [1_000, 10_000, 100_000];
const FREE_GB_MIN = 10;
const GB = 1e9;
/** Until the first was filled: more than any had. */
const KB_PER_PAYMENT = 8;
/** Of what a size takes by the two before it: sorting, and indexes of few rows are smaller. */
const MARGIN = 1.3;

export const QUICK_SIZES: readonly Size[] = [
  { merchants: 1, paymentsEach: 20_000 },
  { merchants: 1_000, paymentsEach: 20 },
];

/** One merchant first; then many, with as many payments each as the largest size has room for. */
export function sizesUpTo(largest: number): Size[] {
  const one = [...ONE.filter((payments) => payments < largest), largest];
  return [
    ...one.map((paymentsEach) => ({ merchants: 1, paymentsEach })),
    ...MANY.filter((merchants) => merchants <= largest).map((merchants) => ({
      merchants,
      paymentsEach: Math.min(EACH_MAX, Math.floor(largest / merchants)),
    })),
  ];
}

/** What it needs, where that would not leave enough for others. */
export function tooTight(
  size: Size,
  known: readonly Pick<SizeFigures, keyof Size | "diskGb">[],
  freeGb: number,
): LeftOut | undefined {
  const seen = known.map(({ diskGb, ...other }) => (diskGb * GB) / paymentsOf(other));
  const perPayment = Math.max(...(seen.length === 0 ? [KB_PER_PAYMENT * 1_000] : seen.slice(-2)));
  const neededGb = (MARGIN * perPayment * paymentsOf(size)) / GB + DISK_WHILE_FILLING_GB;
  return freeGb - neededGb < FREE_GB_MIN ? { ...size, neededGb, freeGb } : undefined;
}

function paymentsOf({ merchants, paymentsEach }: Size): number {
  return merchants * paymentsEach;
}
