/** What one payment or webhook costs in all: docs/capacity.md is made of it. */

import type { Budget } from "./budget-text.ts";
import type { WrittenPlace } from "./wal.ts";

export interface Cost {
  readonly what: string;
  readonly perSecond: number;
  /** Of processor time, by whose it is. */
  readonly micros: Readonly<Record<string, number>>;
  readonly walBytes: number;
  readonly rowsInserted: number;
  readonly rowsUpdated: number;
  readonly rowsDeleted: number;
}

export function costOf({ what, payments, took, processorSeconds, written }: Budget): Cost {
  const micros = [...processorSeconds].map(([part, seconds]): [string, number] => [
    part,
    (seconds * 1e6) / payments,
  ]);
  const rows = (of: (place: WrittenPlace) => number) =>
    written.places.reduce((sum, one) => sum + (one.isIndex ? 0 : of(one)), 0) / payments;
  return {
    what,
    perSecond: payments / took,
    micros: Object.fromEntries(micros),
    walBytes: written.bytes / payments,
    rowsInserted: rows(({ inserted }) => inserted),
    rowsUpdated: rows(({ updated }) => updated),
    rowsDeleted: rows(({ deleted }) => deleted),
  };
}
