/** Receipts for tests: mails made and sent as the loop and the job would, and what they say. */

import assert from "node:assert/strict";
import { sql } from "../src/infra/db/query.ts";
import { workOffNotes } from "../src/infra/jobs/due-notes.ts";
import { receiptsDue } from "../src/modules/receipts/mail-receipts.ts";
import { receiptUrl } from "../src/modules/receipts/receipt-token.ts";
import { sendMails } from "./mails.ts";
import type { TestAnswer, TestService } from "./service.ts";
import { APPROVED, newPayment, pay } from "./transactions.ts";

/** Queues what is due and sends what is queued; tells how many mails were sent. */
export async function deliverReceipts({ ctx }: TestService): Promise<number> {
  await workOffNotes(ctx.db, receiptsDue(ctx));
  return sendMails(ctx);
}

/** The reasons of all mails about a payment, in the order in which they were queued. */
export async function mailReasons({ ctx }: TestService, about: string): Promise<string[]> {
  const rows = await ctx.db.rows<{ reason: string }>(sql`
    select reason from mails where reason like ${`%${about}%`} order by created_at, reason`);
  return rows.map(({ reason }) => reason);
}

export async function dueReceipts({ ctx }: TestService): Promise<string[]> {
  const rows = await ctx.db.rows<{ record_id: string }>(sql`
    select record_id from receipts_due order by record_id`);
  return rows.map(({ record_id }) => record_id);
}

export async function paidBy(
  service: TestService,
  shop: { readonly accountNumber: string },
  more: Parameters<typeof newPayment>[1] = {},
): Promise<string> {
  const row = await pay(service, newPayment(shop, more), APPROVED);
  return row.transaction_id;
}

export async function receiptPage(
  service: TestService,
  transactionId: string,
): Promise<TestAnswer> {
  const page = await service.request(
    new URL(receiptUrl(service.ctx.config, transactionId)).pathname,
  );
  assert.equal(page.status, 200, page.text);
  return page;
}

export async function setBusiness(
  { ctx }: TestService,
  { accountNumber }: { readonly accountNumber: string },
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const own = { business_name: "Sea Grape Books", ...fields };
  await ctx.db.run(sql`
    insert into businesses
    select (jsonb_populate_record(null::businesses, ${JSON.stringify({
      account_number: accountNumber,
      updated_at: "2026-11-18T00:00:00Z",
      ...own,
    })}::jsonb)).*
    on conflict (account_number) do update set business_name = excluded.business_name,
      website = excluded.website, support_email = excluded.support_email,
      support_phone = excluded.support_phone, time_zone = excluded.time_zone,
      language = excluded.language`);
}
