/** What the scene `size` found, as it is kept for docs/capacity.md. */

import { describeMachine } from "../support/machine.ts";
import { writeResults } from "../support/report.ts";
import type { Compared } from "./contenders.ts";
import type { FilledSize } from "./fill-size.ts";
import type { Size } from "./payment-rows.ts";
import type { WholeRead } from "./whole-reads.ts";

export interface SizeFigures
  extends Pick<FilledSize, keyof Size | "diskGb" | "tableBytes" | "seconds"> {
  readonly compared: readonly Compared[];
  readonly wholeReads: readonly WholeRead[];
  /** What the hourly checks of all books and payments took; of large sizes it is not asked. */
  readonly checksSeconds?: number | undefined;
}

export interface LeftOut extends Size {
  readonly neededGb: number;
  readonly freeGb: number;
}

export interface SizeResults {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly rounds: number;
  readonly sizes: readonly SizeFigures[];
  readonly leftOut: readonly LeftOut[];
}

/** Gives the file. */
export function keepSizes(found: Omit<SizeResults, "machine">): string {
  const results: SizeResults = { machine: describeMachine(), ...found };
  return writeResults(results, { folder: "size/" });
}

export function nameOf({ merchants, paymentsEach }: Size): string {
  const payments = paymentsEach.toLocaleString("en");
  return merchants === 1
    ? `one merchant, ${payments} payments`
    : `${merchants.toLocaleString("en")} merchants, ${payments} each`;
}
