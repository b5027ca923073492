/**
 * An account with one record of everything that a page of the console shows: for tests that open
 * every page. `textOf` gives what somebody typed into the field of that name, as it is stored, also
 * where a field of ours would refuse it: a page shows what is in the database.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "../src/infra/db/query.ts";
import { ROLES, type Role } from "../src/kit/roles.ts";
import { platformOf } from "../src/modules/platforms/platform.ts";
import { DETAIL_NAMES } from "../src/modules/transactions/payment-details.ts";
import { CUSTOMER_FIELDS } from "../src/modules/transactions/transaction.ts";
import { keepList } from "../src/modules/withdrawals/payee-lists/payee-list.ts";
import { readList } from "../src/modules/withdrawals/payee-lists/read-list.ts";
import { makeMember, signInTo, type Tab } from "./console.ts";
import { mintKey, mintToken } from "./credentials.ts";
import type { TestService } from "./service.ts";
import { APPROVED, newPayment, pay } from "./transactions.ts";
import { saveCard } from "./trusted-cards.ts";
import { deliveriesOf, endDelivery, happen, makeEndpoint } from "./webhook-endpoints.ts";
import { type Owner, openOwner, SUB_BANKED, withdraw } from "./withdrawals.ts";

type TextOf = (field: string) => string;

export interface FullShop {
  readonly owner: Owner;
  /** The values of `{name}` in paths of the console. */
  readonly ids: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<Role, { personId: string; email: string }>>;
  /** Of the member who is an owner and has a passkey: signed in before that. */
  readonly tab: Tab;
}

const ENVIRONMENT = "sandbox" as const;
/** As much as the shortest columns hold. */
const SHORT = 60;

export async function openFullShop(
  service: TestService,
  textOf: TextOf = (field) => field,
): Promise<FullShop> {
  const owner = await openOwner(service, "mainMerchant");
  const members = await addMembers(service, owner, textOf);
  const { personId } = members.owner;
  const paid = await addPayments(service, owner, textOf);
  const tab = await signInTo(service, members.owner);
  const ids = {
    ...(await addHooks(service, owner, textOf)),
    transaction_id: paid,
    withdrawal_id: await addWithdrawal(service, owner, textOf),
    list_id: await addList(service, { owner, personId }),
    uuid: await addCard(service, owner, textOf),
    link_id: await addLink(service, owner, textOf),
    kid: await addKey(service, owner, textOf),
    request_id: await addRequest(service, owner, textOf),
    invitation_id: await addInvitation(service, { owner, personId }, textOf),
    person_id: members.viewer.personId,
    ...(await addOwnThings(service, { owner, personId }, textOf)),
  };
  return { owner, ids, members, tab };
}

/** Rows as they are, past triggers that keep what is written once. */
function rewrite({ ctx: { db } }: TestService, statement: ReturnType<typeof sql>): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(statement);
  });
}

async function addMembers(service: TestService, { accountNumber }: Owner, textOf: TextOf) {
  const made: [Role, { personId: string; email: string }][] = [];
  // One after the other: hashing admits few passwords at a time.
  for (const role of ROLES) made.push([role, await makeMember(service, accountNumber, role)]);
  await rewrite(
    service,
    sql`update persons set full_name = ${textOf("member_name")}
      where person_id in (select person_id from members where account_number = ${accountNumber})`,
  );
  await rewrite(
    service,
    sql`update accounts set first_name = ${textOf("first_name")}, last_name = ${textOf("last_name")}
      where account_number = ${accountNumber}`,
  );
  return Object.fromEntries(made) as FullShop["members"];
}

async function addPayments(service: TestService, owner: Owner, textOf: TextOf): Promise<string> {
  const customer = Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, textOf(name)]));
  const details = Object.fromEntries(
    DETAIL_NAMES.map((name) => [name, textOf(name).slice(0, SHORT)]),
  );
  const orderId = textOf("order_id").slice(0, SHORT);
  const origin = textOf("origin").slice(0, 32);
  const items = [
    { name: textOf("item_name").slice(0, SHORT), quantity: 4, unit_price_minor: 2_500 },
  ];
  const order = { language: "en", description: textOf("description"), items } as const;
  const more = { environment: ENVIRONMENT, origin, customer, details, order, orderId };
  const { transaction_id } = await pay(service, newPayment(owner, more), APPROVED);
  const declined = { ...APPROVED, status: "failed", message: textOf("message") } as const;
  await pay(service, newPayment(owner, { ...more, orderId: `${orderId}2` }), declined);
  const refund = await service.request(`/transactions/${transaction_id}/refund`, {
    method: "POST",
    token: owner.token,
    json: { amount: "1.00", reason: "-" },
  });
  if (refund.status !== 201) throw new Error(`a refund answered ${refund.text}`);
  await rewrite(service, sql`update refunds set reason = ${textOf("refund_reason")}`);
  return transaction_id;
}

async function addWithdrawal(service: TestService, owner: Owner, textOf: TextOf): Promise<string> {
  const id = await withdraw(service, owner, SUB_BANKED);
  await rewrite(
    service,
    sql`update withdrawals set data = ${textOf("withdrawal_data")},
      bank_name = ${textOf("bank_name")}, bank_branch = ${textOf("bank_branch")},
      bank_account_type = 'savings',
      name_in_bank = ${textOf("name_in_bank")}, email = ${textOf("payee_email")},
      phone = ${textOf("payee_phone")}
      where transaction_id = ${id}`,
  );
  await rewrite(
    service,
    sql`update local_banks set name_in_bank = ${textOf("own_name_in_bank")}
      where account_number = ${owner.accountNumber}`,
  );
  return id;
}

async function addList(
  { ctx }: TestService,
  { owner, personId }: { owner: Owner; personId: string },
): Promise<string> {
  const { environment: _, ...line } = SUB_BANKED;
  const csv = `${Object.keys(line).join(",")}\n${Object.values(line).join(",")}\n`;
  const { lines } = readList(Buffer.from(csv), platformOf("TT"));
  const { accountNumber } = owner;
  const whose = { accountNumber, environment: ENVIRONMENT, personId };
  return ctx.db.transaction((tx) => keepList(ctx.config, tx, whose, lines));
}

async function addCard(service: TestService, owner: Owner, textOf: TextOf): Promise<string> {
  const { uuid } = await saveCard(service, { shop: owner });
  const holder = textOf("card_holder");
  await rewrite(
    service,
    sql`update trusted_cards set holder = ${holder} where card_uuid = ${uuid}`,
  );
  return uuid;
}

async function addLink(service: TestService, owner: Owner, textOf: TextOf): Promise<string> {
  const { token } = await mintToken(service.ctx, owner, ["svc-links-all"]);
  const made = await service.request("/payment-links", {
    method: "POST",
    token,
    json: {
      environment: ENVIRONMENT,
      title: "-",
      currency: "TTD",
      amount: "10.00",
      fee_structure: "split",
    },
  });
  if (made.status !== 201) throw new Error(`a link answered ${made.text}`);
  const { id } = made.body.data;
  const text = (name: string) => textOf(name).slice(0, SHORT);
  await rewrite(
    service,
    sql`update payment_links set title = ${text("link_title")}, label = ${text("link_label")},
      description = ${text("link_description")},
      reference_label = ${text("link_reference_label").slice(0, 40)},
      success_message = ${text("success_message")}
      where link_id = ${id}`,
  );
  await rewrite(
    service,
    sql`insert into businesses (account_number, business_name)
      values (${owner.accountNumber}, ${text("business_name")})`,
  );
  return id;
}

async function addKey(service: TestService, owner: Owner, textOf: TextOf): Promise<string> {
  const { kid } = await mintKey(service.ctx, owner, ["svc-user-retrieve"]);
  await rewrite(service, sql`update api_keys set name = ${textOf("key_name")} where kid = ${kid}`);
  return kid;
}

async function addHooks(service: TestService, owner: Owner, textOf: TextOf) {
  const fields = { environment: ENVIRONMENT, description: textOf("endpoint_description") };
  const { id } = await makeEndpoint(service, owner, fields);
  const url = `https://shop.example.com/${textOf("endpoint_url")}`;
  await rewrite(service, sql`update webhook_endpoints set url = ${url} where endpoint_id = ${id}`);
  const resource = textOf("resource").slice(0, SHORT);
  await happen(service, owner, ["payment.success"], { environment: ENVIRONMENT, resource });
  const [delivery] = await deliveriesOf(service, owner, id);
  await endDelivery(service, delivery.id, { state: "failed", status: 500, head: textOf("answer") });
  const { sequence } = await service.ctx.db.one<{ sequence: bigint }>(sql`
    select sequence from events where resource = ${resource} limit 1`);
  return { id, delivery: String(delivery.id), sequence: String(sequence) };
}

async function addRequest(service: TestService, owner: Owner, textOf: TextOf): Promise<string> {
  const { token } = await mintToken(service.ctx, owner, ["svc-user-all"]);
  const answer = await service.request("/user/banks/local?note=x", {
    method: "PATCH",
    token,
    json: { bank_name: textOf("body") },
  });
  await service.ctx.requestLog.flush();
  const requestId = answer.headers.get("x-request-id") ?? "";
  await rewrite(
    service,
    sql`update logged_requests set path = '/user/' || ${textOf("path")},
      environment = ${ENVIRONMENT}, order_id = ${textOf("logged_order")},
      response_body = ${textOf("response_body")},
      detail = (detail::jsonb || jsonb_build_object('query', ${textOf("query")}::text,
        'request', jsonb_build_object('user-agent', ${textOf("user_agent")}::text)))::text
      where request_id = ${requestId}`,
  );
  return requestId;
}

async function addInvitation(
  { ctx: { db } }: TestService,
  { owner, personId }: { owner: Owner; personId: string },
  textOf: TextOf,
): Promise<string> {
  const { invitation_id } = await db.one<{ invitation_id: string }>(sql`
    insert into invitations (account_number, email, role, token_digest, invited_by, expires_at)
    values (${owner.accountNumber}, ${textOf("invited").toLowerCase()}, 'viewer',
      ${randomBytes(32)}, ${personId}, app_now() + interval '7 days')
    returning invitation_id`);
  return invitation_id;
}

/** What is one person's own: a session, a passkey, a saved filter. */
async function addOwnThings(
  service: TestService,
  { owner, personId }: { owner: Owner; personId: string },
  textOf: TextOf,
) {
  const { db } = service.ctx;
  const { session_id } = await db.one<{ session_id: string }>(sql`
    update console_sessions set browser = ${textOf("browser")}, address = ${textOf("address")}
    where person_id = ${personId} returning session_id`);
  const { passkey_id } = await db.one<{ passkey_id: string }>(sql`
    insert into passkeys (credential_id, person_id, name, public_key, sign_count)
    values (${randomUUID()}, ${personId}, ${textOf("passkey").slice(0, SHORT)},
      ${randomBytes(32)}, 0)
    returning passkey_id`);
  await db.run(sql`
    insert into saved_filters (person_id, account_number, page, name, query)
    values (${personId}, ${owner.accountNumber}, 'payments', ${textOf("filter").slice(0, SHORT)},
      'status=success')`);
  return { session_id, passkey_id };
}

/** The path of a page with the ids of its records. */
export function pathWith({ ids }: Pick<FullShop, "ids">, path: string): string {
  const isWithdrawal = path.startsWith("/console/withdrawals/");
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[isWithdrawal && name === "transaction_id" ? "withdrawal_id" : name];
    if (id === undefined) throw new Error(`no record for ${path}`);
    return encodeURIComponent(id);
  });
}
