/**
 * Backups, by the guide's commands and the shipped units, while callers are at work: a full one at
 * the beginning; and after all faults a restore of a moment before them, one of the moment before a
 * mistake, whose rows are taken back, and the test that a timer starts each day (Decision 0129).
 */

import { copyFile, mkdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { seconds } from "../diary.ts";
import { COUNT, type Counts, describeCounts, MARK, type Mark, readMark } from "./counts.ts";
import type { Node } from "./node.ts";
import type { Fault, Played, Stage } from "./stage.ts";

const RESTORED = "/var/lib/postgresql/15/restored";
const ROWS = "/var/lib/postgresql/rows";
const REPORT = "/var/lib/prometheus/node-exporter/windward_restore_test.prom";
const WORK_MS = 4_000;
/**
 * Old rows are deleted past the triggers that protect them. The last entry of each ledger account
 * and rows that callers are at work on are left: without these the service refuses to go on.
 */
const MISTAKE = `begin;
  set local session_replication_role = replica;
  create temp table old on commit drop as select clock_timestamp() - interval '20 s' as before;
  delete from events using old where occurred_at < before and sequence is not null;
  delete from transactions using old
    where finalised_at < before and refund_pending_minor = 0 and disputed_minor = 0;
  delete from ledger_transfers as one using old, ledger_postings as posting
    where posting.environment = one.environment and posting.posting_id = one.posting_id
      and posted_at < before and not exists (
        select from ledger_balances where (ledger_account_id, entry_count)
          in ((debit_account_id, debit_entry), (credit_account_id, credit_entry)));
  commit`;
const TABLES_HIT = ["events", "ledger_transfers", "transactions"];

/** The second one restores what was noted in the first one, where that was played. */
export function backupScenes(): { readonly first: Fault; readonly last: Fault } {
  let early: Mark | undefined;
  const backUp = async ({ cluster, say }: Stage): Promise<Mark> => {
    await cluster.backups.guide("backup-now");
    const mark = readMark(await (await cluster.leader()).query(MARK, "windward"));
    say(`at ${mark.moment}: ${describeCounts(mark.counts)}`);
    return mark;
  };
  return {
    first: {
      name: "backed-up",
      about: "a full backup",
      async play(stage) {
        const from = performance.now();
        early = await backUp(stage);
        await sleep(WORK_MS);
        return { from, until: performance.now(), complaints: [] };
      },
    },
    last: {
      name: "restored",
      about:
        "restores of the moment before a mistake and of one before all faults, and the daily test",
      async play(stage) {
        const yesterday = early ?? (await backUp(stage));
        return restoreAll(stage, yesterday);
      },
    },
  };
}

async function restoreAll(stage: Stage, yesterday: Mark): Promise<Played> {
  const { cluster, say } = stage;
  const from = performance.now();
  // The next leader has to archive where this one left off.
  await (await cluster.leader()).guide("switchover");
  await cluster.untilHealthy();
  await cluster.backups.start("windward-backup@diff");
  await sleep(WORK_MS);
  const leader = await cluster.leader();
  const mark = readMark(await leader.query(MARK, "windward"));
  await sleep(1_000);
  await leader.query(MISTAKE, "windward");
  const after = readMark(await leader.query(COUNT, "windward"));
  say(`a mistake on ${leader.name}: left are ${describeCounts(after.counts)}`);
  await cluster.backups.guide("archive");
  const restores = [
    await restoreTo(stage, "before a mistake", mark, () => takeBack(stage, leader)),
    await restoreTo(stage, "of yesterday", yesterday, async () => {}),
  ];
  const tested = await testBackup(stage);
  const complaints = [...restores, tested].flatMap((one) => one.complaints);
  if (after.counts.events >= mark.counts.events) complaints.push("the mistake removed nothing");
  const notes = [...restores, tested].flatMap((one) => one.notes);
  return { from, until: performance.now(), complaints, notes };
}

interface Found {
  readonly complaints: readonly string[];
  readonly notes: readonly string[];
}

async function restoreTo(
  { cluster: { backups }, say }: Stage,
  what: string,
  { moment, counts }: Mark,
  use: () => Promise<void>,
): Promise<Found> {
  const from = performance.now();
  await backups.guide("restore", { WHEN: moment });
  const tookMs = performance.now() - from;
  const found = readMark(await backups.query(RESTORED, COUNT)).counts;
  await use();
  await backups.guide("restore-end");
  const note =
    `Restore ${what}, to ${moment}: ${describeCounts(found)}; ` +
    `then there were ${describeCounts(counts)}; ${seconds(tookMs)} s`;
  say(note);
  return { complaints: differences(`restore ${what}`, found, counts), notes: [note] };
}

function differences(what: string, found: Counts, expected: Counts): string[] {
  return (Object.keys(expected) as (keyof Counts)[])
    .filter((name) => found[name] !== expected[name])
    .map((name) => `${what}: ${found[name]} ${name} instead of ${expected[name]}`);
}

/** That nothing is missing is then proven as after every fault. */
async function takeBack({ cluster: { backups }, say }: Stage, leader: Node): Promise<void> {
  for (const table of TABLES_HIT) {
    await backups.guide("rows-out", { TABLE: table });
    const file = `${ROWS}/${table}`;
    await mkdir(leader.at(ROWS), { recursive: true });
    await copyFile(backups.at(file), leader.at(file));
    await leader.guide("rows-in", leader.name, { TABLE: table });
  }
  const { counts } = readMark(await leader.query(COUNT, "windward"));
  say(`taken back: ${describeCounts(counts)}`);
}

/** As its timer starts it. */
async function testBackup({ cluster: { backups }, say }: Stage): Promise<Found> {
  const from = performance.now();
  const words = (await backups.start("windward-restore-test")).trim().split("\n");
  for (const line of words) say(`restore test: ${line}`);
  const report = await readFile(backups.at(REPORT), "utf8");
  const isGood = /^windward_restore_test_failed 0$/m.test(report);
  const isNew = /^windward_restore_test_success_timestamp_seconds [1-9]\d+$/m.test(report);
  const note = `Restore test: ${words.slice(1).join(" ")} ${seconds(performance.now() - from)} s`;
  return { complaints: isGood && isNew ? [] : [`the restore test wrote ${report}`], notes: [note] };
}
