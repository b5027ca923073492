/**
 * The guarantee: the audit trail is divided by month and stays append-only in every part; what was
 * there before the division is there after it; and only whole months end, when they are over for as
 * long as the setting says (Decision 0121).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { register } from "prom-client";
import { type Sql, sql } from "../../src/infra/db/query.ts";
import { keepAuditMonths } from "../../src/modules/privacy/keep-audit-months.ts";
import { startService, type TestService } from "../../testkit/service.ts";

const KEPT = 12;

let service: TestService;
before(async () => {
  service = await startService({ settings: { KEEP_AUDIT_MONTHS: String(KEPT) } });
});
after(() => service.stop());

const rows = (query: Sql) => service.ctx.db.rows<Record<string, unknown>>(query);
const keep = () => keepAuditMonths.run(service.ctx, {});

/** The first moment of the month so many months from now, and what its partition is called. */
async function monthAt(offset: number): Promise<{ begins: Date; table: string }> {
  const [row] = await rows(sql`
    select begins at time zone 'UTC' as begins,
      'audit_entries_' || to_char(begins, 'YYYYMM') as table
    from (select date_trunc('month', app_now() at time zone 'UTC')
      + make_interval(months => ${offset}) as begins) as month`);
  return row as { begins: Date; table: string };
}

async function write(action: string, at: Date): Promise<string> {
  const [row] = await rows(sql`
    insert into audit_entries (action, actor, happened_at) values (${action}, 'test', ${at})
    returning entry_id::text`);
  return String(row?.entry_id);
}

async function placeOf(action: string): Promise<unknown> {
  const [row] = await rows(sql`
    select tableoid::regclass::text as place from audit_entries where action = ${action}`);
  return row?.place;
}

async function partitions(): Promise<string[]> {
  const found = await rows(sql`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'audit_entries'::regclass order by 1`);
  return found.map(({ name }) => String(name));
}

describe("months", () => {
  test("are there before they begin; entries at an edge are in the month that they are of", async () => {
    await keep();
    const next = await monthAt(1);
    await write("last of this", new Date(next.begins.getTime() - 1));
    await write("first of next", next.begins);
    const places = [await placeOf("last of this"), await placeOf("first of next")];
    assert.deepEqual(places, [(await monthAt(0)).table, next.table]);
    assert((await partitions()).includes((await monthAt(2)).table));
  });

  test("that are missing are added, and their entries moved as they were", async () => {
    const far = await monthAt(7);
    const id = await write("far ahead", far.begins);
    assert.equal(await placeOf("far ahead"), "audit_entries_other");
    const whole = sql`
      select to_jsonb(one) as entry from audit_entries as one where entry_id = ${id}::bigint`;
    const entry = await rows(whole);
    await keep();
    assert.equal(await placeOf("far ahead"), far.table);
    assert.deepEqual(await rows(whole), entry);
    await keep();
    assert.deepEqual(await rows(sql`select from audit_entries_other`), []);
  });
});

describe("every partition", () => {
  test("refuses change, removal and truncation, and so does the whole", async () => {
    const far = await monthAt(30);
    await write("stays", far.begins);
    for (const name of ["audit_entries", ...(await partitions())])
      for (const change of [
        `update ${name} set actor = 'somebody else' where action = 'stays'`,
        `delete from ${name}`,
        `truncate ${name}`,
      ]) {
        const text = await rows({ text: change, values: [] } as unknown as Sql).then(
          () => "",
          (error: Error) => error.message,
        );
        const isEmpty = change.startsWith("delete") && name.endsWith("other");
        assert.match(text, isEmpty ? /leaves only for its month/ : /append-only/, change);
      }
    assert.equal(await placeOf("stays"), "audit_entries_other");
    await keep();
  });

  test("gives every entry a number of its own", async () => {
    const next = await monthAt(1);
    const now = await monthAt(0);
    const numbers = [await write("one", now.begins), await write("two", next.begins)];
    assert.equal(Number(numbers[1]), Number(numbers[0]) + 1);
    const insert = rows(sql`
      insert into audit_entries (entry_id, action, actor) values (1, 'chosen', 'test')`);
    await assert.rejects(insert, /generated always|non-DEFAULT/);
  });
});

describe("a month that is over", () => {
  const dropped = () => register.getSingleMetric("windward_audit_months_dropped_total")?.get();

  test("goes whole, and not before it was over for as long as is kept", async () => {
    const [kept, over] = [await monthAt(-KEPT), await monthAt(-KEPT - 1)];
    await write("first of kept", kept.begins);
    await write("last of over", new Date(kept.begins.getTime() - 1));
    await write("first of over", over.begins);
    const before = (await dropped())?.values[0]?.value ?? 0;
    await keep();
    const names = await partitions();
    assert.deepEqual([names.includes(kept.table), names.includes(over.table)], [true, false]);
    assert.deepEqual(
      [
        await placeOf("first of kept"),
        await placeOf("last of over"),
        await placeOf("first of over"),
      ],
      [kept.table, undefined, undefined],
    );
    assert.equal(((await dropped())?.values[0]?.value ?? 0) - before, 1);
  });

  test("stays for ever with 0, whatever its age", async () => {
    const old = await monthAt(-500);
    await write("very old", old.begins);
    const { config } = service.ctx;
    const forEver = { ...config, retention: { ...config.retention, auditMonths: 0 } };
    await keepAuditMonths.run({ ...service.ctx, config: forEver }, {});
    assert.equal(await placeOf("very old"), old.table);
  });

  test("is never the one that is under way, whatever is asked for", async () => {
    const now = await monthAt(0);
    await write("now", now.begins);
    await service.ctx.db.run(sql`select drop_audit_months('9999-01-01')`);
    assert.equal(await placeOf("now"), now.table);
  });

  test("does not end earlier because the sandbox's clock was moved", async () => {
    const now = await monthAt(0);
    await service.ctx.db.run(sql`update clock_shift set ahead = interval '9 years'`);
    await keep();
    assert.equal(await placeOf("now"), now.table);
    assert((await partitions()).includes((await monthAt(0)).table), "the world's month is there");
    await service.ctx.db.run(sql`update clock_shift set ahead = interval '0'`);
  });
});
