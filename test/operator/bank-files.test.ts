/**
 * The guarantee: an operator makes a bank file and reads the bank's answer from a terminal; each is
 * signed and written down with totals and digest; and whenever the program is killed, everything
 * has happened or nothing has, and the file can be made again.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sql } from "../../src/infra/db/query.ts";
import { mistakesIn } from "../../testkit/check-credit-transfer.ts";
import { KEPT_SETTINGS } from "../../testkit/kept-settings.ts";
import { untilWaiting } from "../../testkit/lock-waits.ts";
import {
  expectRefusals,
  operator,
  operatorEntries,
  operatorJson,
  SIGNED,
} from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { expectAllToAddUp, type Owner, statusOf } from "../../testkit/withdrawals.ts";
import {
  endToEndIdOf,
  liveOwner,
  statusFile,
  waitingOnes,
} from "../api/withdrawals/bank-files-support.ts";

const START = fileURLToPath(new URL("../../src/start.mjs", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "windward-bank-files-"));
const place = (name: string) => path.join(folder, name);

let service: TestService;
let owner: Owner;
before(async () => {
  service = await startService();
  owner = await liveOwner(service);
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const waiting = (count: number) =>
  waitingOnes(service, owner, Array(count).fill({ amount: "10.00" }));
const newFile = (to: string) => ["make-bank-file", "--currency", "TTD", "--to", to, ...SIGNED];
const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

describe("make-bank-file", () => {
  test("writes a file that only its owner can read, and the trail has totals and digest", async () => {
    const ids = await waiting(3);
    const to = place("first.xml");
    const made = await operatorJson(service, newFile(to));
    assert.deepEqual(mistakesIn(readFileSync(to, "utf8")), []);
    assert.equal(statSync(to).mode & 0o777, 0o600);
    assert.deepEqual(
      [made.payment_count, made.total, made.currency, made.sha256],
      [3, "30.00", "TTD", digest(to)],
    );
    for (const id of ids) assert.equal(await statusOf(service, id), "processing");
    const entry = (await operatorEntries(service)).at(-1);
    assert.equal(entry?.action, "bank_file_made");
    const { why, batch, payment_count, total, sha256 } = entry.detail;
    assert.deepEqual(
      [why, batch, payment_count, total, sha256],
      ["ticket 4711", made.batch, 3, "30.00", made.sha256],
    );
    const again = place("again.xml");
    const repeated = await operatorJson(service, [
      "make-bank-file",
      ...["--batch", made.batch, "--to", again],
      ...SIGNED,
    ]);
    assert.equal(repeated.action, "bank_file_made_again");
    assert.ok(readFileSync(again).equals(readFileSync(to)));
    await expectAllToAddUp(service);
  });

  test("refuses a place that is taken or cannot be, a batch that is not, and too few words", async () => {
    const [id = ""] = await waiting(1);
    const taken = place("taken.xml");
    writeFileSync(taken, "mine");
    const nowhere = path.join(folder, "no", "such.xml");
    const unknown = ["--batch", "TT-TTD-20261116-00000000", "--to", place("x.xml")];
    await expectRefusals(service, [
      [newFile(taken), `${taken} exists already. Name another file.`],
      [newFile(nowhere), `Nothing can be written into ${path.dirname(nowhere)}.`],
      [
        ["make-bank-file", ...unknown, ...SIGNED],
        "There is no bank file TT-TTD-20261116-00000000. List them with bank-files.",
      ],
    ]);
    assert.equal(readFileSync(taken, "utf8"), "mine");
    const wrong: [string[], RegExp][] = [
      [[], /needs one of --currency and --batch/],
      [["--currency", "TTD", "--batch", "x"], /needs one of --currency and --batch/],
      [["--currency", "USD"], /USD is paid by BB, GD, GY, JM, TT: name one with --country/],
      [["--currency", "TTD", "--country", "JM"], /JM does not pay TTD/],
      [["--batch", "x", "--country", "TT"], /With --batch neither/],
    ];
    const said = await Promise.all(
      wrong.map(([args]) =>
        operator(service, ["make-bank-file", "--to", place("y.xml"), ...args, ...SIGNED]),
      ),
    );
    for (const [at, [, words]] of wrong.entries()) {
      assert.equal(said[at]?.code, 2);
      assert.match(said[at].stderr, words);
    }
    assert.equal(await statusOf(service, id), "pending");
    await operatorJson(service, newFile(place("clean.xml")));
  });
});

describe("read-bank-status", () => {
  test("completes and fails, tells line by line, and exits with 1 when a line needs a person", async () => {
    const [paid = "", refused = ""] = await waiting(2);
    const { batch } = await operatorJson(service, newFile(place("sent.xml")));
    const line = async (id: string, status: string) => ({
      id: await endToEndIdOf(service, id),
      status,
    });
    const payments = [await line(paid, "ACSC"), await line(refused, "RJCT")];
    const file = place("status.xml");
    writeFileSync(file, statusFile({ to: batch, payments }));
    const read = await operatorJson(service, ["read-bank-status", file, ...SIGNED]);
    assert.deepEqual([read.completed, read.failed, read.waiting, read.need_a_person], [1, 1, 0, 0]);
    assert.deepEqual(
      read.lines.map((one: Record<string, unknown>) => [one.line, one.transaction_id, one.result]),
      [
        [7, paid, "completed"],
        [8, refused, "failed"],
      ],
    );
    const entry = (await operatorEntries(service)).at(-1);
    assert.deepEqual(
      [entry?.action, entry?.detail.batch, entry?.detail.sha256, entry?.detail.completed],
      ["bank_status_read", batch, digest(file), 1],
    );
    const odd = place("odd.xml");
    const strange = [...payments, { id: "nobody", status: "ACSC" }];
    writeFileSync(odd, statusFile({ to: batch, payments: strange }));
    const said = await operator(service, ["read-bank-status", odd, ...SIGNED]);
    assert.equal(said.code, 1);
    assert.match(said.stdout, /^ {2}9 +nobody +ACSC +unknown payment +That file had no such/m);
    assert.match(said.stdout, /0 completed, 0 failed, 0 still wait .*, 1 lines need a person: 9\./);
    await expectAllToAddUp(service);
  });

  test("refuses what is no file, no XML or not the bank's, and nothing is written down", async () => {
    const bomb = place("bomb.xml");
    writeFileSync(bomb, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>');
    const huge = place("huge.xml");
    writeFileSync(huge, Buffer.alloc(9 * 1024 * 1024, " "));
    await expectRefusals(service, [
      [
        ["read-bank-status", place("none.xml"), ...SIGNED],
        `There is no such file: ${place("none.xml")}`,
      ],
      [["read-bank-status", folder, ...SIGNED], `${folder} cannot be read: EISDIR.`],
      [
        ["read-bank-status", bomb, ...SIGNED],
        "The file has a document type, which a status report never has. Nothing was changed.",
      ],
      [
        ["read-bank-status", huge, ...SIGNED],
        "The file is larger than 8388608 bytes. Nothing was changed.",
      ],
    ]);
  });
});

describe("killed", () => {
  function begin(args: readonly string[], settings: Record<string, string> = {}) {
    const child = spawn(process.execPath, [START, "operator", ...args], {
      cwd: tmpdir(),
      env: {
        ...KEPT_SETTINGS,
        LIVE_PAYOUTS: "files",
        DATABASE_URL: service.database.url,
        ...settings,
      },
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    return {
      async kill() {
        child.kill("SIGKILL");
        await ended;
      },
    };
  }

  const batchCount = async () => {
    const { count } = await service.ctx.db.one<{ count: number }>(
      sql`select count(*)::int as count from payout_batches`,
    );
    return count;
  };

  test("while it moves the money, make-bank-file has done nothing, and the next one does all", async () => {
    const ids = await waiting(4);
    const before = await batchCount();
    const { db } = service.ctx;
    const to = place("killed.xml");
    const { trail } = await db.transaction(async (tx) => {
      await tx.run(sql`
        select from ledger_balances join ledger_accounts using (ledger_account_id)
        where account_number = ${owner.accountNumber} for update of ledger_balances`);
      const running = begin(newFile(to));
      await untilWaiting(db);
      await running.kill();
      return { trail: await operatorEntries(service) };
    });
    await until(async () => {
      const { left } = await db.one<{ left: number }>(sql`
        select count(*)::int as left from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return left === 0;
    }, "the killed one's statement ends");
    assert.deepEqual([await batchCount(), await operatorEntries(service)], [before, trail]);
    for (const id of ids) assert.equal(await statusOf(service, id), "pending");
    assert.throws(() => statSync(to));
    const made = await operatorJson(service, newFile(to));
    assert.equal(made.payment_count, 4);
    await expectAllToAddUp(service);
  });

  test("between batch and file, the batch is there and the file is made again from it", async () => {
    const ids = await waiting(2);
    const before = await batchCount();
    const to = place("half.xml");
    // Written, and about to appear: that it gets its name never ends.
    const hang = place("hang.mjs");
    writeFileSync(
      hang,
      `import fs from "node:fs/promises";
      import { syncBuiltinESMExports } from "node:module";
      fs.link = () => new Promise(() => setInterval(() => {}, 1_000));
      syncBuiltinESMExports();`,
    );
    const running = begin(newFile(to), { NODE_OPTIONS: `--import=${pathToFileURL(hang)}` });
    const parts = () => readdirSync(folder).filter((name) => /^half\.xml\..*part$/.test(name));
    await until(async () => parts().length > 0, "the file is being written");
    await running.kill();
    assert.equal(await batchCount(), before + 1);
    assert.equal(statSync(place(parts()[0] ?? "")).mode & 0o777, 0o600);
    assert.throws(() => statSync(to));
    for (const id of ids) assert.equal(await statusOf(service, id), "processing");
    const [newest] = (await operatorJson(service, ["bank-files"])).bank_files;
    assert.deepEqual([newest.payment_count, newest.undecided], [2, 2]);
    // What somebody has put beside it is neither written into nor followed.
    const mine = place("mine.txt");
    writeFileSync(mine, "mine");
    symlinkSync(mine, `${to}.part`);
    await operatorJson(service, ["make-bank-file", "--batch", newest.batch, "--to", to, ...SIGNED]);
    assert.equal(readFileSync(mine, "utf8"), "mine");
    assert.equal(digest(to), newest.sha256);
    assert.deepEqual(mistakesIn(readFileSync(to, "utf8")), []);
    await expectAllToAddUp(service);
  });
});

test("export-payouts gives a day's payouts as CSV, with ends of numbers only, and totals", async () => {
  const { day, sent } = await service.ctx.db.one<{ day: string; sent: number }>(sql`
    with live as (
      select (began_at at time zone 'UTC' - interval '4 hours')::date as day
      from payouts join withdrawals using (transaction_id) where environment = 'live'
    )
    select day::text, count(*)::int as sent from live group by day order by day desc limit 1`);
  const said = await operator(service, ["export-payouts", day]);
  const [head = "", ...rows] = said.stdout.trimEnd().split(/\r?\n/);
  assert.match(head, /^transaction_id,reference,account_number,/);
  assert.equal(rows.length, sent);
  assert.match(rows[0] ?? "", /,10\.00,.*,\*{4}\d{4}$/);
  const { totals } = await operatorJson(service, ["export-payouts", day]);
  const counted = totals.reduce((sum: number, one: { count: number }) => sum + one.count, 0);
  assert.equal(counted, sent);
  const ours = await operatorJson(service, ["export-payouts", day, "--country", "TT"]);
  assert.equal(ours.payouts.length, sent);
  for (const none of [["2020-01-01"], [day, "--country", "JM"]]) {
    const { totals, payouts } = await operatorJson(service, ["export-payouts", ...none]);
    assert.deepEqual([totals, payouts], [[], []]);
  }
});
