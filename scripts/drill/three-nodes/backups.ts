/**
 * Backups, by the guide's commands and the shipped units, while callers are at work: a full one at
 * the beginning; and after all faults a restore of a moment before them, one of the moment before a
 * mistake, whose rows are taken back, and the test that a timer starts each day (Decision 0126).
 */

import { copyFile, mkdir, readFile, rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { RESTORED } from "../../../testkit/guide/paths.ts";
import { REPORT, type Report, readReport } from "../../../testkit/guide/restore-report.ts";
import {
  COUNT,
  describeCounts,
  differences,
  MARK,
  type Mark,
  readMark,
} from "../../../testkit/restored-counts.ts";
import { seconds } from "../diary.ts";
import type { BackupMachine } from "./backup-machine.ts";
import type { Node } from "./node.ts";
import type { Fault, Played, Stage } from "./stage.ts";

const ROWS = "/var/lib/postgresql/rows";
const ARCHIVE = "/var/lib/pgbackrest/archive/windward";
const TEST_UNIT = "windward-restore-test";
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
  const failed = await testWithHole(stage);
  const complaints = [...restores, tested, failed].flatMap((one) => one.complaints);
  if (after.counts.events >= mark.counts.events) complaints.push("the mistake removed nothing");
  const notes = [...restores, tested, failed].flatMap((one) => one.notes);
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
  const words = (await backups.start(TEST_UNIT)).trim().split("\n");
  for (const line of words) say(`restore test: ${line}`);
  const { failed, succeededAt } = await reportOf(backups);
  const isGood = failed === 0 && succeededAt > 0;
  const note = `Restore test: ${words.slice(1).join(" ")} ${seconds(performance.now() - from)} s`;
  const complaint = `the restore test said failed ${failed}, last success ${succeededAt}`;
  return { complaints: isGood ? [] : [complaint], notes: [note] };
}

/** It has to notice that changes are missing, and to keep when it last succeeded. */
async function testWithHole({ cluster: { backups }, say }: Stage): Promise<Found> {
  const before = await reportOf(backups);
  const archive = backups.at(ARCHIVE);
  await rename(archive, `${archive}.away`);
  const hasFailed = await backups.start(TEST_UNIT).then(
    () => false,
    () => true,
  );
  await rename(`${archive}.away`, archive);
  const { failed, succeededAt } = await reportOf(backups);
  say(`restore test without what was archived: failed ${failed}`);
  const isGood = hasFailed && failed === 1 && succeededAt === before.succeededAt;
  return { complaints: isGood ? [] : ["the restore test passed with a hole"], notes: [] };
}

async function reportOf({ at }: BackupMachine): Promise<Report> {
  return readReport(await readFile(at(REPORT), "utf8"));
}
