/** What the checks look at: all of it from outside of the processes that were shaken. */

import type { Database } from "../../../src/infra/db/database.ts";
import type { Acquirer } from "../acquirer.ts";
import type { House } from "../house.ts";
import type { PostOffice } from "../post-office.ts";
import type { Fleet } from "../receivers.ts";
import type { Settled } from "../settle.ts";
import type { AnswerWatch } from "../traffic/answer-watch.ts";
import type { Merchant } from "../traffic/client.ts";
import type { Diary } from "../traffic/diary.ts";
import type { Wire } from "../traffic/wire.ts";
import type { Weather } from "../weather.ts";
import type { Witness } from "../witness.ts";

export interface Evidence {
  readonly house: Pick<House, "words" | "folders">;
  readonly db: Database;
  readonly acquirer: Acquirer;
  readonly post: Omit<PostOffice, "clients" | "close">;
  readonly diary: Diary;
  readonly watch: AnswerWatch;
  readonly wire: Wire;
  readonly fleet: Fleet;
  readonly merchants: readonly Merchant[];
  readonly weather: Pick<Weather, "planned" | "counts" | "forgotten">;
  readonly witness: Witness;
  readonly settled: Settled;
}

export interface Finding {
  /** How many things were looked at: a check that saw nothing has shown nothing. */
  readonly looked: number;
  readonly wrong: readonly string[];
}

export type Check = (evidence: Evidence) => Promise<Finding>;

/** Rows that must not be there, as sentences. */
export function complaintsOf(rows: readonly object[], what: string): string[] {
  const shown = (_name: string, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value;
  return rows.map((row) => `${what}: ${JSON.stringify(row, shown)}`);
}
