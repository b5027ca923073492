/** What the tests of withdrawals share: people with money and a bank, requests, and the proof. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { sql } from "../src/infra/db/query.ts";
import { readFields } from "../src/kit/fields/field.ts";
import { type Currency, formatMoney } from "../src/kit/money.ts";
import type { Scope } from "../src/kit/scopes.ts";
import type { CountryCode, Environment } from "../src/kit/vocabulary.ts";
import { balancesOf } from "../src/modules/ledger/balances.ts";
import { describeDifference } from "../src/modules/ledger/difference.ts";
import { reconcileRecords } from "../src/modules/transactions/reconcile-records.ts";
import { foreignBank } from "../src/modules/user/foreign-bank.ts";
import { localBank } from "../src/modules/user/local-bank.ts";
import { insertBank } from "../src/modules/user/write-bank.ts";
import type { Bank } from "../src/modules/withdrawals/payouts/bank.ts";
import { payOut } from "../src/modules/withdrawals/payouts/pay-out.ts";
import { claimPending } from "../src/modules/withdrawals/payouts/payout-loop.ts";
import { reconcileWithdrawals } from "../src/modules/withdrawals/reconcile-withdrawals.ts";
import { FOREIGN_BANK, JM_BANK, TT_BANK } from "./banks.ts";
import { expectBooksToBalance, fund } from "./books.ts";
import { mintToken } from "./credentials.ts";
import type { RequestOptions, TestAnswer, TestService } from "./service.ts";
import { sweepPayouts } from "./sweeps.ts";
import type { Person } from "./world.ts";

export interface Owner extends Person {
  readonly token: string;
  readonly countryCode: CountryCode;
}

const HOME: Readonly<Record<CountryCode, { currency: Currency; bank: object }>> = {
  TT: { currency: "TTD", bank: TT_BANK },
  JM: { currency: "JMD", bank: JM_BANK },
  BB: { currency: "BBD", bank: { ...TT_BANK, bank_name: "Scotiabank" } },
  GY: { currency: "GYD", bank: { ...TT_BANK, bank_name: "Demerara Bank" } },
  GD: { currency: "XCD", bank: { ...TT_BANK, bank_name: "Grenada Co-operative Bank" } },
};

/** Signed in, with a bank at home and abroad, and 1,000,000 of either currency in the sandbox. */
export async function openOwner(
  service: TestService,
  kind: "person" | "merchant" | "mainMerchant" = "merchant",
  options: { countryCode?: CountryCode; funds?: string; banks?: boolean } = {},
): Promise<Owner> {
  const { countryCode = "TT", banks = true } = options;
  const { currency, bank } = HOME[countryCode];
  const { ctx } = service;
  const who = await service.world[kind]({ countryCode });
  if (banks) {
    const account = { accountNumber: who.accountNumber, countryCode };
    await ctx.db.transaction(async (tx) => {
      const local = readFields(localBank.fields, { ...bank });
      await insertBank(ctx, tx, account, localBank, local);
      await insertBank(ctx, tx, account, foreignBank, readFields(foreignBank.fields, FOREIGN_BANK));
    });
  }
  const funds = options.funds ?? `1000000.00 ${currency}, 1000000.00 USD`;
  for (const one of funds === "none" ? [] : funds.split(", "))
    await fund(ctx.db, who.accountNumber, one, "sandbox");
  const { token } = await mintToken(ctx, who, who.allScopes.split(" ") as Scope[]);
  return { ...who, token, countryCode };
}

export type Fields = Record<string, unknown>;

export const NORMAL: Fields = {
  withdrawal_type: "normal",
  currency: "TTD",
  amount: "100.00",
  environment: "sandbox",
};
export const SUB_UNBANKED: Fields = {
  ...NORMAL,
  withdrawal_type: "sub_unbanked",
  recipient_name: "Kerry-Ann Joseph",
  email: "kerry@example.com",
  phone: "+18685550123",
  id_type: "passport",
  id_number: "TB123456",
};
const { recipient_name: _, ...WHO } = SUB_UNBANKED;
export const SUB_BANKED: Fields = {
  ...WHO,
  withdrawal_type: "sub_banked",
  bank_name: "First Citizens",
  bank_account: "0012345678",
  name_in_bank: "Kerry-Ann Joseph",
};

/** JSON as it is, or the same as a form. */
function asBody(fields: Fields, as: "json" | "form"): Pick<RequestOptions, "json" | "form"> {
  if (as === "json") return { json: fields };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { form: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) };
}

export function ask(
  service: TestService,
  { token }: Pick<Owner, "token">,
  fields: Fields = NORMAL,
  more: { key?: string; as?: "json" | "form" } = {},
): Promise<TestAnswer> {
  return service.request("/withdrawals/", {
    method: "POST",
    token,
    ...asBody(fields, more.as ?? "json"),
    ...(more.key === undefined ? {} : { headers: { "idempotency-key": more.key } }),
  });
}

/** Asks, expects a yes, and gives the id. */
export async function withdraw(
  service: TestService,
  owner: Pick<Owner, "token">,
  fields: Fields = {},
): Promise<string> {
  const answer = await ask(service, owner, { ...NORMAL, ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.transaction_id;
}

/** As a careful client: under a key of its own, and again after a 503, as busy cores may cause. */
export async function askUntilAnswered(
  service: TestService,
  owner: Pick<Owner, "token">,
  fields: Fields = NORMAL,
  key: string = randomUUID(),
): Promise<TestAnswer> {
  for (let tried = 1; ; tried++) {
    const answer = await ask(service, owner, fields, { key });
    const isBusy = answer.status === 503 || answer.status === 409;
    if (!isBusy || tried === 40) return answer;
  }
}

export function cancel(
  service: TestService,
  { token }: Pick<Owner, "token">,
  id: string,
): Promise<TestAnswer> {
  return service.request(`/withdrawals/${id}`, { method: "DELETE", token });
}

export async function read(
  service: TestService,
  { token }: Pick<Owner, "token">,
  id: string,
  // biome-ignore lint/suspicious/noExplicitAny: the record as a client sees it
): Promise<any> {
  const answer = await service.request(`/withdrawals/${id}`, { token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export async function statusOf(service: TestService, id: string): Promise<string> {
  const { status } = await service.ctx.db.one<{ status: string }>(
    sql`select status from withdrawals where transaction_id = ${id}`,
  );
  return status;
}

/** `available + held`, of the sandbox. */
export async function fundsOf(
  service: TestService,
  { accountNumber }: Pick<Owner, "accountNumber">,
  currency: Currency = "TTD",
  environment: Environment = "sandbox",
): Promise<string> {
  const mine = (await balancesOf(service.ctx.db, accountNumber, environment)).get(currency);
  return mine === undefined ? "none" : `${formatMoney(mine.available)} + ${formatMoney(mine.held)}`;
}

export async function eventsOf(service: TestService, id: string): Promise<string[]> {
  const rows = await service.ctx.db.rows<{ event: string }>(sql`
    select event from events left join events_to_number using (event_id)
    where resource = ${id} order by sequence nulls last, position`);
  return rows.map(({ event }) => event.replace("withdrawal.", ""));
}

/** The bank's own journal about one withdrawal. */
export function journal(
  service: TestService,
  id: string,
): Promise<{ outcome: string | null; call_count: number }[]> {
  return service.ctx.db.rows(sql`
    select outcome, call_count from simulator_payouts
    join withdrawals on withdrawals.reference::text = simulator_payouts.reference
    where transaction_id = ${id}`);
}

/** A worker that has claimed it and stands still just before the bank gets the order. */
export async function pausedWorker(service: TestService, id: string) {
  const release = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const { sandbox } = service.ctx.banks;
  assert(sandbox !== undefined);
  const paused: Bank = {
    ...sandbox,
    async pay(order) {
      reached.resolve();
      await release.promise;
      return sandbox.pay(order);
    },
  };
  const ctx = { ...service.ctx, banks: { live: undefined, sandbox: paused } };
  const claimed = await claimPending(ctx);
  assert(claimed?.transaction_id === id);
  const working = payOut(ctx, claimed);
  await reached.promise;
  return {
    async letGo() {
      release.resolve();
      await working;
    },
  };
}

/** The time in which an owner can think again passes, and the loop comes by. */
export async function dispatch(service: TestService): Promise<void> {
  await service.clock.advance({ seconds: 6 });
  await sweepPayouts(service.ctx);
}

/** Time passes and the loop comes by, until no payout waits for an answer. */
export async function settleAll(service: TestService): Promise<void> {
  for (let round = 0; round < 40; round++) {
    await dispatch(service);
    const { left } = await service.ctx.db.one<{ left: number }>(sql`
      select count(*)::int as left from withdrawals
      where environment = 'sandbox' and status in ('pending', 'processing')`);
    if (left === 0) return;
    await service.clock.advance({ seconds: 30 });
  }
  assert.fail("withdrawals are still under way");
}

/**
 * The end of every test here. The books balance; the records agree with them; and the bank has paid
 * exactly what we say it has.
 */
export async function expectAllToAddUp(service: Pick<TestService, "ctx">): Promise<void> {
  const { db } = service.ctx;
  await expectBooksToBalance(db);
  const reports = [await reconcileRecords(service.ctx), await reconcileWithdrawals(db)];
  const differences = reports.flatMap((one) => one.differences.map(describeDifference));
  assert.deepEqual(differences, []);
  const contradictions = await db.rows(sql`
    select transaction_id, status, outcome from withdrawals
    full join simulator_payouts on simulator_payouts.reference = withdrawals.reference::text
    where (status in ('completed', 'returned') and outcome is distinct from 'paid'
        and environment = 'sandbox')
      or (status in ('pending', 'failed', 'cancelled', 'held') and outcome = 'paid')
      or transaction_id is null`);
  assert.deepEqual(contradictions, []);
}
