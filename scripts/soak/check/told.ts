/** What clients were told, against what is there: the heart of it. */

import { isDeepStrictEqual } from "node:util";
import { sql } from "../../../src/infra/db/query.ts";
import { endpointOf, foreignBankOf, keyNameOf, localBankOf } from "../traffic/changes.ts";
import { businessOf } from "../traffic/console.ts";
import type { ToldKeyed } from "../traffic/diary.ts";
import { linkOf } from "../traffic/links.ts";
import { type Check, complaintsOf, type Evidence, type Finding } from "./evidence.ts";

const REPLAYS_MAX = 400;
const REPLAYS_AT_ONCE = 8;

/** What was acknowledged is there as it was told, and told again in the same bytes. */
export const whatWasToldIsThere: Check = async (evidence) => {
  const findings = [
    await payments(evidence),
    await withdrawals(evidence),
    await refunds(evidence),
    await cards(evidence),
    await accounts(evidence),
    await registers(evidence),
    await replays(evidence),
  ];
  const seen = ["results", "reads"].flatMap((about) => evidence.diary.seenWrong.get(about) ?? []);
  return {
    looked: findings.reduce((sum, { looked }) => sum + looked, 0),
    wrong: [...findings.flatMap(({ wrong }) => wrong), ...seen],
  };
};

/** Each thing that was told, by its key, against the row of that key. */
async function compare<Row extends { key: string } & Record<string, unknown>, Told>(
  told: ReadonlyMap<string, Told>,
  rows: readonly Row[],
  judge: (told: Told, row: Row) => boolean,
  what: string,
): Promise<Finding> {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const wrong: string[] = [];
  for (const [key, one] of told) {
    const row = byKey.get(key);
    const said = `told ${JSON.stringify(one)}`;
    if (row === undefined) wrong.push(`${what} ${key} is lost: ${said}`);
    else if (!judge(one, row)) wrong.push(`${what} ${key} is ${JSON.stringify(row)}: ${said}`);
  }
  return { looked: told.size, wrong };
}

async function payments({ db, diary }: Evidence): Promise<Finding> {
  const rows = await db.rows<{
    key: string;
    owner: string;
    environment: string;
    order: string;
    data: string;
  }>(sql`
    select transaction_id as key, account_number as owner, environment, order_id as "order", data
    from transactions`);
  const asked = await compare(
    diary.payments,
    rows,
    (told, row) =>
      told.accountNumber === row.owner &&
      told.environment === row.environment &&
      told.orderId === row.order &&
      told.data === row.data,
    "payment",
  );
  const ends = await db.rows<{ key: string; status: string }>(sql`
    select transaction_id as key, status from transactions
    union all select transaction_id, status from card_checks`);
  const told = await compare(diary.results, ends, (one, { status }) => one === status, "result");
  return { looked: asked.looked + told.looked, wrong: [...asked.wrong, ...told.wrong] };
}

async function withdrawals({ db, diary }: Evidence): Promise<Finding> {
  const rows = await db.rows<{ key: string; owner: string; data: string; status: string }>(sql`
    select transaction_id as key, account_number as owner, data, status from withdrawals`);
  return compare(
    diary.withdrawals,
    rows,
    (told, row) =>
      told.accountNumber === row.owner &&
      told.data === row.data &&
      (!told.isCancelled || row.status === "cancelled"),
    "withdrawal",
  );
}

async function refunds({ db, diary }: Evidence): Promise<Finding> {
  const rows = await db.rows<{ key: string; id: string; payment: string; amount: string }>(sql`
    select reason as key, refund_id::text as id, transaction_id as payment,
      (amount_minor / 100) || '.' || lpad((amount_minor % 100)::text, 2, '0') as amount
    from refunds`);
  return compare(
    diary.refunds,
    rows,
    (told, row) =>
      told.refundId === row.id && told.transactionId === row.payment && told.amount === row.amount,
    "refund",
  );
}

async function cards({ db, diary }: Evidence): Promise<Finding> {
  const rows = await db.rows<{ key: string; owner: string; state: string; verified: boolean }>(sql`
    select card_uuid::text as key, account_number as owner, state,
      verified_at is not null as verified from trusted_cards`);
  return compare(
    diary.cards,
    rows,
    (told, row) =>
      told.accountNumber === row.owner &&
      (!told.verified || row.verified) &&
      (!told.deleted || row.state === "deleted"),
    "card",
  );
}

async function accounts({ db, diary }: Evidence): Promise<Finding> {
  const rows = await db.rows<{ key: string; status: string }>(sql`
    select account_number as key, status from accounts`);
  const isAsTold = (told: { isClosed: boolean }, { status }: { status: string }) =>
    !told.isClosed || status === "closed";
  return compare(diary.accounts, rows, isAsTold, "account");
}

/** Of what is changed again and again: the last that was told, or one that was never answered. */
async function registers({ db, diary, merchants }: Evidence): Promise<Finding> {
  const rows = await db.rows<{ name: string; value: string }>(sql`
    select 'local bank of ' || account_number as name, name_in_bank as value from local_banks
    union all select 'foreign bank of ' || account_number, beneficiary_name from foreign_banks
    union all select 'key ' || kid, name from api_keys
    union all select 'endpoint ' || endpoint_id, description from webhook_endpoints
    union all select 'business of ' || account_number, business_name from businesses
    union all select 'link ' || link_id, case when is_active then 'on' else 'off' end
      from payment_links`);
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const ofMerchants = merchants.flatMap((me) =>
    [localBankOf, foreignBankOf, keyNameOf, endpointOf, businessOf].map((nameOf) => nameOf({ me })),
  );
  const names = [...ofMerchants, ...[...diary.links.keys()].map(linkOf)];
  const wrong = names.flatMap((name) => {
    const known = diary.registers.get(name);
    const value = values.get(name) ?? "nothing";
    // Empty: what stood there before nobody has told.
    if (known === undefined || known.told === "" || known.allows(value)) return [];
    return [`${name} is ${value}, though ${known.told} was acknowledged`];
  });
  const looked = names.filter((name) => diary.registers.has(name)).length;
  return { looked, wrong };
}

async function replays({ diary, wire }: Evidence): Promise<Finding> {
  const chosen = diary.keyed.slice(-REPLAYS_MAX);
  const wrong: string[] = [];
  const one = async ({ owner, asked, status, text }: ToldKeyed) => {
    // A key is the account's (Decision 0006): any sign-in of its owner may ask again.
    const again = asked.token === undefined ? asked : { ...asked, token: owner.token };
    const { answer } = await wire.insist(again);
    const what = `${asked.method} ${asked.path} under ${asked.idempotencyKey}`;
    if (answer === undefined) wrong.push(`${what} is not answered any more`);
    else if (answer.status !== status || !isToldAgain(text, answer.text))
      wrong.push(`${what} was ${status} ${text}, and now ${answer.status} ${answer.text}`);
  };
  const left = [...chosen];
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await one(next);
  };
  await Promise.all(Array.from({ length: REPLAYS_AT_ONCE }, worker));
  return { looked: chosen.length, wrong };
}

const SECRETS = ["key", "secret", "hash_key", "signing_secret"];

/** Byte for byte; but a secret is shown once, and its place is left out when it is told again. */
function isToldAgain(first: string, again: string): boolean {
  if (first === again) return true;
  const { data, ...rest } = JSON.parse(first);
  if (!SECRETS.some((name) => name in (data ?? {}))) return false;
  for (const name of SECRETS) delete data[name];
  return isDeepStrictEqual({ data, ...rest }, JSON.parse(again));
}

/** Nothing that was sent under one key, or for one order, is there twice. */
export const nothingHappenedTwice: Check = async ({ db, diary }) => {
  const twice = await db.rows<{ word: string; count: number }>(sql`
    select word, count(*)::int from (
      select order_id as word from transactions where status in ('incomplete', 'success')
      union all select data from withdrawals
      union all select reason from refunds
      union all select data from card_checks
      union all select name from api_keys where rotated_to is null
      union all select description from webhook_endpoints
      union all select last_name from accounts
      union all select title from payment_links
    ) as effects
    where word = any (${[...diary.onceOnly]})
    group by word having count(*) > 1`);
  const orders = await db.rows(sql`
    select account_number, environment, order_id, count(*)::int from transactions
    where status in ('incomplete', 'success')
    group by account_number, environment, order_id having count(*) > 1`);
  return {
    looked: diary.onceOnly.size,
    wrong: [...complaintsOf(twice, "there twice"), ...complaintsOf(orders, "an order lives twice")],
  };
};
