/**
 * What happens to the two servers while callers are at work. Each scene begins and ends with a
 * primary and its synchronous standby; what it returns are complaints.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { countStatuses, type Diary, seconds } from "./diary.ts";
import { untilWriting } from "./three-nodes/stage.ts";

const AWAY_MS = 14_000;
/** An answer that was in flight when a server died. */
const UNDER_WAY_MS = 500;
/** What the service may take to say 503: a statement, and then looking for what became of it. */
const ANSWER_MS_MAX = 12_000;
/** Without a write, while a server is replaced; and until one once a standby is back. */
const SILENCE_MS_MAX = 30_000;

interface Stage {
  readonly cluster: Cluster;
  readonly diary: Diary;
  readonly random: (below: number) => number;
  say(line: string): void;
}

interface Scene {
  readonly about: string;
  play(stage: Stage): Promise<readonly string[]>;
}

export const SCENES: readonly Scene[] = [
  {
    about: "1. kill -9 of the primary under load; the standby is promoted, the door repointed",
    async play(stage) {
      await sleep(4_000 + stage.random(3_000));
      const complaints = await failOver(stage);
      await sleep(4_000);
      await takeBack(stage);
      return [...complaints, ...tooLate(stage, 0)];
    },
  },
  {
    about: "2. kill -9 of the standby: commits wait, and the service says so",
    async play(stage) {
      const { cluster, diary, say } = stage;
      await sleep(2_000 + stage.random(1_000));
      await cluster.standby().kill();
      const goneAt = performance.now();
      await sleep(AWAY_MS);
      const complaints = acknowledgedSince(stage, goneAt);
      await tellOfWaits(stage);
      const backAt = performance.now();
      await cluster.standby().start();
      await untilWriting(stage, backAt);
      await sleep(6_000);
      const answers = diary.since(goneAt + UNDER_WAY_MS, backAt);
      say(`without a standby for ${seconds(backAt - goneAt)} s: ${countStatuses(answers)}`);
      say(`slowest answer ${seconds(slowest(stage, goneAt))} s`);
      const waitedMs = firstYes(diary, backAt) - backAt;
      say(`a yes again ${seconds(waitedMs)} s after it came back`);
      return [...complaints, ...tooLong(waitedMs), ...tooLate(stage, goneAt)];
    },
  },
  {
    about: "3. the standby is gone, somebody cancels the waits, and then the primary dies",
    async play(stage) {
      const { cluster, say } = stage;
      await sleep(2_000 + stage.random(1_000));
      await cluster.standby().kill();
      const goneAt = performance.now();
      for (let turn = 0; turn < 20; turn++) {
        await sleep(200);
        await cancelWaits(cluster);
      }
      const complaints = acknowledgedSince(stage, goneAt);
      say("4 s of cancelled waits: each is a success to PostgreSQL, and must be none to a caller");
      await cluster.primary().kill();
      await cluster.standby().start();
      complaints.push(...(await failOver(stage)));
      await sleep(3_000);
      await takeBack(stage);
      return [...complaints, ...tooLate(stage, goneAt)];
    },
  },
];

/** Ends when something that was asked for after the kill has been acknowledged. */
async function failOver(stage: Stage): Promise<string[]> {
  const { cluster, diary, say } = stage;
  const killedAt = performance.now();
  await cluster.primary().kill();
  const { promotedMs } = await cluster.failOver();
  await untilWriting(stage, killedAt + UNDER_WAY_MS);
  await sleep(2_000);
  const silenceMs = diary.silenceAround(killedAt);
  say(
    `${cluster.primary().name} leads, promoted in ${seconds(promotedMs)} s; ` +
      `nothing was acknowledged for ${seconds(silenceMs)} s`,
  );
  say(`answers in those seconds: ${countStatuses(diary.since(killedAt))}`);
  return tooLong(silenceMs);
}

/** Ends when the service writes again. */
async function takeBack(stage: Stage): Promise<void> {
  const { cluster, say } = stage;
  const beganAt = performance.now();
  await cluster.takeBack();
  say(
    `${cluster.standby().name} was rewound and follows, synchronous again ` +
      `after ${seconds(performance.now() - beganAt)} s under load`,
  );
  await untilWriting(stage, performance.now());
  await sleep(2_000);
}

async function cancelWaits(cluster: Cluster): Promise<void> {
  await cluster
    .primary()
    .query("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
}

async function tellOfWaits({ cluster, say }: Stage): Promise<void> {
  const [row] = await cluster.primary().query(`
    select count(*) filter (where wait_event = 'SyncRep') as waiting, count(*) as all
    from pg_stat_activity where backend_type = 'client backend'`);
  say(`the primary holds ${row?.all} connections, ${row?.waiting} of them in a waiting commit`);
}

/** Whatever is begun and acknowledged while there is no standby could be lost with the primary. */
function acknowledgedSince({ diary }: Stage, moment: number): string[] {
  return diary
    .begunSince(moment)
    .map(({ operation, name }) => `${operation} ${name} was acknowledged without a standby`);
}

function tooLong(silenceMs: number): string[] {
  const limit = `${seconds(SILENCE_MS_MAX)} at most`;
  return silenceMs > SILENCE_MS_MAX ? [`${seconds(silenceMs)} s without writes, ${limit}`] : [];
}

function tooLate(stage: Stage, moment: number): string[] {
  const ms = slowest(stage, moment);
  return ms > ANSWER_MS_MAX ? [`an answer took ${seconds(ms)} s`] : [];
}

function slowest({ diary }: Stage, moment: number): number {
  return Math.max(0, ...diary.since(moment).map(({ tookMs }) => tookMs));
}

function firstYes({ acknowledged }: Diary, moment: number): number {
  return acknowledged.find(({ at }) => at >= moment)?.at ?? Number.POSITIVE_INFINITY;
}
