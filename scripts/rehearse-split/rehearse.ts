/**
 * The rehearsal from beginning to end: a database with payments is split, its parts are compared
 * with it and used, and brought together again. Every comparison adds to the complaints.
 */

import type pg from "pg";
import { freshDatabase, type TestDatabase } from "../../testkit/database.ts";
import type { Tool } from "../../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../../testkit/tool/say.ts";
import { Diary, seconds } from "../drill/diary.ts";
import { prove } from "../drill/proofs.ts";
import { together, tryAnothers, type Work, type Worked, work } from "./callers.ts";
import { countShared } from "./chains.ts";
import { connect, readShapes, type TableShape } from "./database.ts";
import { askForeignKeys } from "./foreign-keys.ts";
import { jobsLeftBehind } from "./jobs.ts";
import { joinParts } from "./join.ts";
import { nameOwners } from "./owners.ts";
import { findOrphans, splitOff } from "./split.ts";
import {
  countKept,
  differences,
  houseOf,
  type Tallies,
  tallyOf,
  tallyTogether,
} from "./tallies.ts";
import { makeWorld, type World } from "./world.ts";

const PARTS = 2;

interface Base {
  readonly database: TestDatabase;
  readonly client: pg.Client;
}

export class Rehearsal {
  readonly complaints: string[] = [];
  readonly #tool: Tool;
  readonly #operations: number;
  readonly #seed: number;
  #shapes: readonly TableShape[] = [];

  constructor(tool: Tool, { operations, seed }: { operations: number; seed: number }) {
    this.#tool = tool;
    this.#operations = operations;
    this.#seed = seed;
  }

  async play(): Promise<void> {
    const origin = await this.#base();
    this.#shapes = await readShapes(origin.client);
    const world = await this.#timed("the world is made", () => makeWorld(origin.database, PARTS));
    const merchants = world.shops.flat();
    const before = await this.#work("before", { ...origin, merchants });
    const parts = await this.#split(origin, world);
    await this.#bringBackUntouched(origin, parts);
    const during = await this.#useParts(parts, world);
    const joined = await this.#bringBack(origin, parts);
    const after = await this.#work("after", { ...joined, merchants });
    const all = together(before.diary, ...during.map(({ diary }) => diary), after.diary);
    const proof = await prove(joined.database.url, all);
    this.#complain(proof.complaints);
    say(`all that callers were told, before, meanwhile and after: ${all.acknowledged.length}`);
    for (const line of proof.lines) say(`  ${line}`);
  }

  async #base(): Promise<Base> {
    const database = await this.#tool.keep(freshDatabase, ({ drop }) => drop());
    const client = await this.#tool.keep(
      () => connect(database.url),
      (open) => open.end(),
    );
    return { database, client };
  }

  async #work(mark: string, on: Pick<Work, "database" | "merchants" | "try">): Promise<Worked> {
    const beganAt = performance.now();
    whenQuiet(
      () => `  ${mark}: callers are at work since ${seconds(performance.now() - beganAt)} s`,
    );
    const operations = this.#operations;
    const done = await work({ ...on, operations, seed: this.#seed, mark });
    const took = seconds(performance.now() - beganAt);
    say(`${mark}: ${done.diary.acknowledged.length} operations acknowledged, ${took} s`);
    for (const line of done.lines) say(`  ${line}`);
    this.#complain(done.complaints);
    return done;
  }

  /** The service is stopped: nobody writes while rows are on the move. */
  async #split(origin: Base, { heads }: World): Promise<Base[]> {
    await nameOwners(origin.client, heads);
    this.#complain(await findOrphans(origin.client, this.#shapes));
    const parts: Base[] = [];
    for (let part = 0; part < PARTS; part++) parts.push(await this.#base());
    const clients = parts.map(({ client }) => client);
    await this.#timed("split into two", async () => {
      for (const part of clients.keys())
        await splitOff({ origin: origin.client, parts: clients, part }, this.#shapes);
    });
    const shared = await countShared(clients);
    if (shared === 0) this.#complain(["no chain of the house was shared, so none was tried"]);
    say(`  ${shared} chains of the house had links of both parts and were linked anew`);
    const jobs = await jobsLeftBehind(origin.client);
    say(`  ${jobs.line}`);
    this.#complain(jobs.complaints);
    for (const [part, { client, database }] of parts.entries()) {
      await this.#ask(`part-${part + 1}`, client);
      const proof = await prove(database.url, new Diary());
      for (const line of proof.lines.filter(isOfBooks)) say(`  part-${part + 1}: ${line}`);
      this.#complain(proof.complaints);
    }
    await this.#compare("the parts together", clients, [origin.client]);
    await this.#tellCounts([origin.client, ...clients]);
    return parts;
  }

  /** To the last byte, places in the chains of the house included. */
  async #bringBackUntouched(origin: Base, parts: readonly Base[]): Promise<void> {
    const back = await this.#base();
    const clients = parts.map(({ client }) => client);
    await this.#timed("brought back untouched, to try", () =>
      joinParts(clients, back.client, this.#shapes),
    );
    const expected = await tallyOf(origin.client, this.#shapes);
    const found = await tallyOf(back.client, this.#shapes);
    const complaints = differences("brought back untouched", found, expected);
    this.#complain(complaints);
    say(
      `  ${describe(found)} compared to the byte with what was split, ${complaints.length} differ`,
    );
  }

  /** Both at once; a part refuses the accounts of the other. */
  #useParts(parts: readonly Base[], { shops }: World): Promise<Worked[]> {
    return Promise.all(
      parts.map(({ database }, part) => {
        const stranger = shops[(part + 1) % PARTS]?.[0];
        if (stranger === undefined) throw new Error("a part has no shops");
        return this.#work(`part-${part + 1}`, {
          database,
          merchants: shops[part] ?? [],
          try: (service) => tryAnothers(service, stranger),
        });
      }),
    );
  }

  async #bringBack(origin: Base, parts: readonly Base[]): Promise<Base> {
    const joined = await this.#base();
    const clients = parts.map(({ client }) => client);
    await this.#timed("brought back into one", () =>
      joinParts(clients, joined.client, this.#shapes),
    );
    await this.#ask("the joined database", joined.client);
    await this.#compare("the joined database", [joined.client], clients);
    await this.#tellCounts([...clients, joined.client]);
    const [kept, all] = await countKept(origin.client, joined.client);
    if (kept !== all) this.#complain([`${all - kept} transfers from before have another place`]);
    say(`  ${kept} of ${all} transfers from before stand in their old places of all chains`);
    return joined;
  }

  async #compare(
    what: string,
    found: readonly pg.Client[],
    expected: readonly pg.Client[],
  ): Promise<void> {
    const tallies = await tallyTogether(found, this.#shapes);
    const complaints = [
      ...differences(what, tallies, await tallyTogether(expected, this.#shapes)),
      ...differences(`${what}, the house`, await houseOf(found), await houseOf(expected)),
    ];
    this.#complain(complaints);
    say(`  ${what}: ${describe(tallies)} compared, ${complaints.length} differ`);
  }

  async #ask(what: string, client: pg.Client): Promise<void> {
    const { count, complaints } = await askForeignKeys(client);
    this.#complain(complaints.map((complaint) => `${what}: ${complaint}`));
    say(`  ${what}: ${count} foreign keys asked, ${complaints.length} are broken`);
  }

  /** Tables that have rows at all. */
  async #tellCounts(clients: readonly pg.Client[]): Promise<void> {
    const columns = await Promise.all(clients.map((client) => tallyOf(client, this.#shapes)));
    for (const { table } of this.#shapes) {
      const counts = columns.map((one) => one.get(table)?.rows ?? 0);
      if (counts.some((count) => count > 0))
        say(`    ${table.padEnd(26)}${counts.map((count) => String(count).padStart(8)).join("")}`);
    }
  }

  #complain(complaints: readonly string[]): void {
    for (const complaint of complaints) say(`WRONG: ${complaint}`);
    this.complaints.push(...complaints);
  }

  async #timed<T>(what: string, run: () => Promise<T>): Promise<T> {
    const beganAt = performance.now();
    whenQuiet(() => `  ${what}: under way since ${seconds(performance.now() - beganAt)} s`);
    const result = await run();
    say(`${what}: ${seconds(performance.now() - beganAt)} s`);
    return result;
  }
}

/** What is told of a database where nobody was at work. */
function isOfBooks(line: string): boolean {
  return /^(events|books):/.test(line);
}

function describe(tallies: Tallies): string {
  const rows = [...tallies.values()].reduce((sum, one) => sum + one.rows, 0);
  return `${rows} rows of ${tallies.size} tables`;
}
