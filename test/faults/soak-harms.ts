/** For each check of the soak the one harm that it is there to find (Decision 0055). */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { raw } from "sql-template-tag";
import type { Evidence } from "../../scripts/soak/check/evidence.ts";
import type { Participants } from "../../scripts/soak/participants.ts";
import { useKeys } from "../../scripts/soak/traffic/access.ts";
import { look } from "../../scripts/soak/traffic/looking.ts";
import { simulatedOf } from "../../scripts/soak/traffic/sandbox.ts";
import { sql } from "../../src/infra/db/query.ts";

interface Harmed {
  readonly evidence: Evidence;
  readonly participants: Participants;
  /** In the place of the database's own. */
  readonly folder: string;
}

/** Gives the evidence as it is then, where it is another. */
type Harm = (on: Harmed) => Promise<Evidence | undefined>;

/** Past every guard of the database, as a bug in them would be. */
const tamper =
  (statement: string): Harm =>
  async ({ evidence: { db } }) => {
    await db.transaction(async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      assert((await tx.run(sql`${raw(statement)}`)) > 0, statement);
    });
    return undefined;
  };
const someOf = (table: string, key: string, where = "true") =>
  `${key} = (select ${key} from ${table} where ${where} limit 1)`;

/** Some of them at what belongs to another. */
const FOREIGN_LOOKS = 60;
const LIVE_AND_PAID = "environment = 'live' and status = 'success'";

export const HARMS: Readonly<Record<string, Harm>> = {
  "planned faults happened": async ({ evidence }) => ({
    ...evidence,
    weather: { ...evidence.weather, counts: new Map() },
  }),
  "money sums to zero": tamper(
    `update ledger_balances set balance_minor = balance_minor + 1
     where ${someOf("ledger_balances", "ledger_account_id")}`,
  ),
  "balances are their movements": tamper(
    `update ledger_transfers set amount_minor = amount_minor + 1
     where ${someOf("ledger_transfers", "posting_id")}`,
  ),
  "nobody is overdrawn": tamper(
    `update ledger_transfers set debit_balance_minor = -1 where debit_account_id in
       (select ledger_account_id from ledger_accounts where not is_of_the_house)`,
  ),
  "no more goes back than was paid": tamper(
    `update simulator_sales set voided_at = app_now()
     where ${someOf("simulator_sales", "reference", "outcome = 'approved' and voided_at is null")}`,
  ),
  "withdrawals are paid once": tamper(
    `update simulator_payouts set reference = gen_random_uuid()::text
     where ${someOf("simulator_payouts", "reference")}`,
  ),
  "live payments are the acquirer's": tamper(
    `update transactions set status = 'failed' where environment = 'live'
       and ${someOf("transactions", "transaction_id", LIVE_AND_PAID)}`,
  ),
  "payment links are paid once": tamper(
    `update payment_link_months set paid_count = paid_count + 1
     where ${someOf("payment_link_months", "link_id")}`,
  ),
  "the console's forms take effect once": tamper(
    "update refunds set amount_minor = amount_minor + 1",
  ),
  "promised mail is sent": tamper("delete from mails where reason like 'receipt %'"),
  "mail arrives": async ({ evidence }) => {
    const mailbox = { ...evidence.post.mailbox, received: () => [] };
    return { ...evidence, post: { ...evidence.post, mailbox } };
  },
  "much money needs two": async (on) => {
    await tamper("delete from approvals")(on);
    on.participants.diary.letGo.clear(); // let go by somebody who tells no client
    return undefined;
  },
  "what was simulated happened": async ({ evidence: { db }, participants }) => {
    const { id } = await db.one<{ id: string }>(sql`
      select transaction_id as id from withdrawals where status <> 'failed' limit 1`);
    participants.diary.register(simulatedOf(id), "").told = "failed";
    return undefined;
  },
  "the request log is true": tamper(
    `insert into logged_requests select * from logged_requests
     where ${someOf("logged_requests", "request_id")}`,
  ),
  "what was told is there": tamper(
    `update transactions set data = 'other'
     where ${someOf("transactions", "transaction_id", "data <> ''")}`,
  ),
  "nothing happened twice": tamper(
    "update withdrawals set data = (select min(data) from withdrawals)",
  ),
  "every change is told": tamper(
    `delete from events where ${someOf("events", "event_id", "event = 'payment.created'")}`,
  ),
  "nothing was rewritten": tamper(
    `update ledger_postings set reference = 'other'
     where ${someOf("ledger_postings", "posting_id")}`,
  ),
  "ends stay ends": tamper("update transactions set status = 'error' where status = 'failed'"),
  "secrets are nowhere": async ({ folder }) => {
    writeFileSync(path.join(folder, "1235"), "card 4111111111111111 of a page");
    return undefined;
  },
  "dead credentials stay dead": async ({ evidence: { db }, participants }) => {
    const [client] = participants.clients;
    assert(client !== undefined);
    await db.run(sql`
      create function forget_the_end() returns trigger language plpgsql as $$
        begin new.revoked_at := null; new.expires_at := null; return new; end $$`);
    await db.run(sql`
      create trigger no_key_ends before update on api_keys
      for each row execute function forget_the_end()`);
    await useKeys(client);
    return undefined;
  },
  "nobody sees what is another's": async (on) => {
    const [reader] = on.participants.clients;
    assert(reader !== undefined);
    await tamper(`update transactions set account_number = '${reader.me.accountNumber}'`)(on);
    for (let turn = 0; turn < FOREIGN_LOOKS; turn++) await look(reader);
    return undefined;
  },
  "all settles within a minute": async ({ evidence }) => ({
    ...evidence,
    settled: { ...evidence.settled, seconds: 61 },
  }),
  "limits count once for all": async ({ participants }) => {
    const at = { beganAt: 1, endedAt: 2 };
    participants.diary.phoneChanges.set("1", [at, at, at, at, at, at]);
    return undefined;
  },
  "pictures are whole": tamper("delete from pictures"),
  "answers were documented": async ({ participants }) => {
    const asked = { method: "GET", path: "/livez" } as const;
    const answer = { status: 500, headers: {}, text: "", body: {}, beganAt: 0, endedAt: 0 };
    participants.watch.look(asked, answer);
    return undefined;
  },
};
