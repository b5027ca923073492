/**
 * One of each record that a path can name, of one merchant in one environment, made as its owner
 * would make it: what tests over all routes ask for, reach for and must not reach.
 */

import { SCOPES } from "../src/kit/scopes.ts";
import type { Environment } from "../src/kit/vocabulary.ts";
import { made } from "./accounts.ts";
import { fund } from "./books.ts";
import { mintKey, mintToken } from "./credentials.ts";
import { makeLink } from "./payment-links.ts";
import type { TestService } from "./service.ts";
import { APPROVED, newPayment, pay } from "./transactions.ts";
import { saveCard, verify } from "./trusted-cards.ts";
import { deliveriesOf, happen, makeEndpoint } from "./webhook-endpoints.ts";
import { type Owner, openOwner, withdraw } from "./withdrawals.ts";

/** By the path that names it and the name it has there. */
export type Records = Readonly<Record<string, string>>;

export interface Holder extends Owner {
  readonly keys: Readonly<Record<Environment, string>>;
}

/** A main merchant with money in both environments, and a credential of each kind. */
export async function openHolder(service: TestService): Promise<Holder> {
  const { ctx } = service;
  const owner = await openOwner(service, "mainMerchant");
  await fund(ctx.db, owner.accountNumber, "1000000.00 TTD", "live");
  const { token } = await mintToken(ctx, owner, SCOPES);
  const live = (await mintKey(ctx, owner, SCOPES, { prefix: "live" })).key;
  const sandbox = (await mintKey(ctx, owner, SCOPES, { prefix: "test" })).key;
  return { ...owner, token, keys: { live, sandbox } };
}

type Maker = (service: TestService, holder: Holder, environment: Environment) => Promise<Records>;

/** How they are made, in this order; some come together. */
export const RECORD_MAKERS: readonly Maker[] = [
  async (service, holder, environment) => {
    const payment = await pay(service, newPayment(holder, { environment }), APPROVED);
    return { "/transactions/{transaction_id}": payment.transaction_id };
  },
  async (service, holder, environment) => {
    const card = await saveCard(service, { shop: holder, environment });
    await verify(service, card, card.amount);
    return { "/trusted-cards/{uuid}": card.uuid };
  },
  async (service, holder, environment) => {
    const { token } = holder;
    const endpoint = await makeEndpoint(service, { token }, { environment });
    await happen(service, holder, ["payment.success"], { environment });
    const [delivery] = await deliveriesOf(service, { token }, endpoint.id);
    return { "/webhooks/{id}": endpoint.id, "/deliveries/{delivery}": delivery.id };
  },
  async (service, holder) => ({
    "/auth/keys/{kid}": (await mintKey(service.ctx, holder, SCOPES)).kid,
  }),
  async (service, { token }) => ({
    "/accounts/{account_number}": (await made(service, { token })).accountNumber,
  }),
  async (service, { keys }, environment) => {
    const { headers, body } = await service.request("/events", { key: keys[environment] });
    await service.ctx.requestLog.flush();
    return {
      "/events/{id}": body.data[0].id,
      "/requests/{request_id}": headers.get("x-request-id") ?? "",
    };
  },
  async (service, holder, environment) => ({
    "/withdrawals/{transaction_id}": await withdraw(service, holder, { environment }),
  }),
  async (service, { token }, environment) => ({
    "/payment-links/{id}": (await makeLink(service, { token }, { environment })).id,
  }),
];

export async function keepRecords(
  service: TestService,
  holder: Holder,
  environment: Environment,
): Promise<Records> {
  let records: Records = {};
  for (const make of RECORD_MAKERS)
    records = { ...records, ...(await make(service, holder, environment)) };
  return records;
}

/** The path with these records in it; a parameter that none of them is named by stays. */
export function pathTo(path: string, records: Records): string {
  return Object.entries(records).reduce(
    (so, [place, id]) => so.replace(place, place.replace(/\{\w+\}/, id)),
    path,
  );
}
