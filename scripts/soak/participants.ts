/** Everybody outside: merchants, their clients, their receivers, and what they write down. */

import type { Database } from "../../src/infra/db/database.ts";
import type { Acquirer } from "./acquirer.ts";
import { makeMerchants, settleIn, signInAnew, signInMainMerchant } from "./merchants.ts";
import { chanceOf } from "./random.ts";
import { type Fleet, startFleet } from "./receivers.ts";
import { type AnswerWatch, watchAnswers } from "./traffic/answer-watch.ts";
import { type Client, type Merchant, openClient } from "./traffic/client.ts";
import { Diary } from "./traffic/diary.ts";
import { openPair, type Pair } from "./traffic/pair.ts";
import { openWire, type Wire } from "./traffic/wire.ts";

export interface Participants {
  readonly merchants: readonly Merchant[];
  readonly clients: readonly Client[];
  /** Of a main merchant, which opens accounts. */
  readonly mainClient: Client;
  readonly diary: Diary;
  readonly watch: AnswerWatch;
  readonly wire: Wire;
  readonly fleet: Fleet;
  /** Signs two of the operator in. */
  openPair(): Promise<Pair>;
  /** Everybody, once the sign-ins of the beginning may have grown too old. */
  signInAnew(): Promise<void>;
  close(): Promise<void>;
}

/** Of so many clients, one each is the first of its merchant; the rest share theirs. */
const FIRST_PART = 0.75;

export async function gather(given: {
  db: Database;
  ports: readonly number[];
  seed: number;
  count: number;
  isEveryDay?: boolean;
  acquirer?: Acquirer;
}): Promise<Participants> {
  const { db, ports, seed, count, isEveryDay = false, acquirer } = given;
  const diary = new Diary();
  const watch = watchAnswers();
  const wire = openWire(ports, watch);
  if (acquirer !== undefined) diary.secrets.add(acquirer.password);
  const firstCount = Math.ceil(count * FIRST_PART);
  const fleet = await startFleet(firstCount);
  const main = await signInMainMerchant({ wire, watch });
  const blanks = await makeMerchants(db, firstCount);
  const merchants = await Promise.all(
    blanks.map((blank, turn) => settleIn(blank, turn, { wire, diary, fleet, watch })),
  );
  const [shop] = merchants;
  const make = (name: string, me: Merchant, isFirst: boolean) => {
    const others = merchants.filter((one) => one !== me);
    const chance = chanceOf(seed, name);
    const hasAcquirer = acquirer !== undefined;
    const around = { isEveryDay, hasAcquirer, others, wire, diary, watch };
    return openClient({ name, me, isFirst, chance, ...around });
  };
  const owners = Array.from({ length: count }, (_, turn) => merchants[turn % firstCount] ?? main);
  return {
    ...{ merchants, diary, watch, wire, fleet },
    clients: owners.map((me, turn) => make(`c${turn + 1}`, me, turn < firstCount)),
    mainClient: make("m1", main, true),
    openPair: () => openPair(make("o1", shop ?? main, false)),
    signInAnew: () => signInAnew({ wire, watch }, main, merchants),
    async close() {
      await wire.close();
      await fleet.close();
    },
  };
}
