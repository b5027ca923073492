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

export async function keepRecords(
  service: TestService,
  holder: Holder,
  environment: Environment,
): Promise<Records> {
  const { token } = holder;
  const payment = await pay(service, newPayment(holder, { environment }), APPROVED);
  const card = await saveCard(service, { shop: holder, environment });
  await verify(service, card, card.amount);
  const endpoint = await makeEndpoint(service, { token }, { environment });
  await happen(service, holder, ["payment.success"], { environment });
  const [delivery] = await deliveriesOf(service, { token }, endpoint.id);
  const key = await mintKey(service.ctx, holder, SCOPES);
  const account = await made(service, { token });
  const request = await service.request("/events", { key: holder.keys[environment] });
  const { data: events } = request.body;
  await service.ctx.requestLog.flush();
  return {
    "/transactions/{transaction_id}": payment.transaction_id,
    "/withdrawals/{transaction_id}": await withdraw(service, holder, { environment }),
    "/trusted-cards/{uuid}": card.uuid,
    "/payment-links/{id}": (await makeLink(service, { token }, { environment })).id,
    "/webhooks/{id}": endpoint.id,
    "/events/{id}": events[0].id,
    "/deliveries/{delivery}": delivery.id,
    "/auth/keys/{kid}": key.kid,
    "/accounts/{account_number}": account.accountNumber,
    "/requests/{request_id}": request.headers.get("x-request-id") ?? "",
  };
}

/** The path with these records in it; a parameter that none of them is named by stays. */
export function pathTo(path: string, records: Records): string {
  return Object.entries(records).reduce(
    (so, [place, id]) => so.replace(place, place.replace(/\{\w+\}/, id)),
    path,
  );
}
