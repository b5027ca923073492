/** Payment links in tests: made through the API, opened and paid as a customer's browser does. */

import assert from "node:assert/strict";
import { type Queryable, sql } from "../src/infra/db/query.ts";
import { look, type Order } from "./checkout-sessions.ts";
import type { RequestOptions, TestService } from "./service.ts";
import { openShop, type Shop } from "./transactions.ts";

type Fields = Readonly<Record<string, unknown>>;
type Credential = Pick<RequestOptions, "token" | "key">;

/** What a link needs; a test adds what it is about. */
export const A_LINK = {
  environment: "sandbox",
  title: "Yoga class",
  currency: "TTD",
  amount: "120.00",
  fee_structure: "merchant_absorb",
};

/** Bounds in place of the amount, and so on: undefined leaves a field out. */
export function askForLink(service: TestService, who: Credential, fields: Fields = {}) {
  return service.request("/payment-links", {
    method: "POST",
    ...who,
    json: { ...A_LINK, ...fields },
  });
}

export async function makeLink(service: TestService, who: Credential, fields: Fields = {}) {
  const { status, body } = await askForLink(service, who, fields);
  assert.equal(status, 201, JSON.stringify(body));
  return body.data;
}

export async function readLink(service: TestService, who: Credential, id: string) {
  const { status, body } = await service.request(`/payment-links/${id}`, who);
  assert.equal(status, 200);
  return body.data;
}

/** A shop whose business has a name and an address to write to. */
export async function openNamedShop(service: TestService): Promise<Shop> {
  const shop = await openShop(service);
  await service.request("/user/business", {
    method: "PATCH",
    token: shop.token,
    json: { business_name: "Sea Grape <Books>", support_email: "help@seagrape.example.com" },
  });
  return shop;
}

/** The form of a link's page as a browser would send it. */
export async function openForm(service: TestService, link: { readonly url: string }, query = "") {
  const { pathname: path } = new URL(link.url);
  const page = await service.request(`${path}${query}`, { headers: { accept: "text/html" } });
  assert.equal(page.status, 200, page.text);
  return { path: `${path}${query}`, page, hidden: hiddenFields(page.text) };
}

export function hiddenFields(text: string): Record<string, string> {
  const fields = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value]));
}

export type OpenedForm = Awaited<ReturnType<typeof openForm>>;

export function sendForm(
  service: TestService,
  { path, hidden }: Pick<OpenedForm, "path" | "hidden">,
  typed: Readonly<Record<string, string>> = {},
) {
  const headers = { accept: "text/html" };
  return service.request(path, { method: "POST", headers, form: { ...hidden, ...typed } });
}

/** Up to the payment page: the order that waits to be paid there. */
export async function openLinkOrder(
  service: TestService,
  link: { readonly url: string },
  shop: Shop,
  typed: Readonly<Record<string, string>> = {},
): Promise<Order> {
  const answer = await sendForm(service, await openForm(service, link), typed);
  assert.equal(answer.status, 303, answer.text);
  const token = answer.headers.get("location")?.split("/").at(-1) ?? "";
  const session = await look(service, { id: "", token, shop });
  return { id: session.transactionId, token, shop };
}

/** The page asks for an e-mail, because a link knows of no customer. */
export const WITH_EMAIL = { form: { email: "customer@example.com" } };

/** At rest: a slot for each payment that succeeded and each card under way, and true sums. */
export async function expectSlotsToAddUp({ ctx: { db } }: TestService): Promise<void> {
  assert.deepEqual(await wrongSlots(db), []);
}

/** Links of which that is not so. */
export function wrongSlots(db: Queryable): Promise<object[]> {
  return db.rows(sql`
    with counted as (
      select link_id, count(transaction_id)::int as slots from payment_links
      left join payment_link_slots using (link_id) group by link_id
    ), held as (
      select payment_link as link_id, count(*)::int as held from transactions
      where payment_link is not null and (status = 'success' or status = 'incomplete' and exists (
        select from checkout_attempts as attempt
        where attempt.transaction_id = transactions.transaction_id
          and attempt.state in ('submitted', 'challenged', 'unknown')))
      group by payment_link
    ), paid as (
      select payment_link as link_id, count(*)::int as count, sum(total_minor)::bigint as minor
      from transactions where status = 'success' and payment_link is not null group by payment_link
    ), summed as (
      select link_id, sum(paid_count)::int as count, sum(paid_minor)::bigint as minor
      from payment_link_months group by link_id
    )
    select link_id, slots_taken, slots, held, paid.count, summed.count as summed
    from payment_links join counted using (link_id) left join held using (link_id)
    left join paid using (link_id) left join summed using (link_id)
    where slots_taken <> slots or slots <> coalesce(held, 0)
      or paid.count is distinct from summed.count or paid.minor is distinct from summed.minor
      or slots_taken > max_payments`);
}
