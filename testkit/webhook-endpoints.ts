/** What the tests of webhook endpoints share: shops with credentials, endpoints, and events. */

import { randomBytes } from "node:crypto";
import { sql } from "../src/infra/db/query.ts";
import type { Scope } from "../src/kit/scopes.ts";
import type { Environment } from "../src/kit/vocabulary.ts";
import type { EventName } from "../src/modules/events/catalogue.ts";
import { isAnyWaiting, numberEvents } from "../src/modules/events/number-events.ts";
import { recordEvent } from "../src/modules/events/record-event.ts";
import { fanOut } from "../src/modules/webhooks/fan-out.ts";
import { mintToken } from "./credentials.ts";
import type { RequestOptions, TestAnswer, TestService } from "./service.ts";
import type { Person } from "./world.ts";

export interface Shop extends Person {
  readonly token: string;
}

export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

export async function openShop(service: TestService): Promise<Shop> {
  const who = await service.world.merchant();
  return { ...who, ...(await mintToken(service.ctx, who, who.allScopes.split(" ") as Scope[])) };
}

export function newUrl(): string {
  return `https://shop.example.com/${randomBytes(6).toString("hex")}`;
}

type Credential = Pick<RequestOptions, "token" | "key">;

export function post(
  service: TestService,
  path: string,
  { token, key }: Credential,
  more: Pick<RequestOptions, "json" | "form" | "headers"> = {},
): Promise<TestAnswer> {
  return service.request(path, { method: "POST", ...credentialOf({ token, key }), ...more });
}

/** A `Person` has more in it than a request may carry. */
export function credentialOf(one: { token?: string | undefined; key?: string | undefined }) {
  return {
    ...(one.token === undefined ? {} : { token: one.token }),
    ...(one.key === undefined ? {} : { key: one.key }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type Body = any;

/** An endpoint made through the API, with its secret. */
export async function makeEndpoint(
  service: TestService,
  who: Credential,
  fields: Record<string, unknown> = {},
): Promise<Body> {
  const json = { url: newUrl(), environment: "live", ...fields };
  const answer = await post(service, "/webhooks", who, { json });
  if (answer.status !== 201) throw new Error(`making an endpoint answered ${answer.text}`);
  return answer.body.data;
}

/** One event of each name, numbered and due for every endpoint that wants it; gives their ids. */
export async function happen(
  service: TestService,
  who: { accountNumber: string },
  names: readonly EventName[] = ["payment.success"],
  more: { environment?: Environment; onlyEndpointId?: string; resource?: string } = {},
): Promise<string[]> {
  const { accountNumber } = who;
  const { environment = "live", resource = `TT-${randomBytes(4).toString("hex")}`, ...rest } = more;
  const ids: string[] = [];
  for (const event of names) {
    const one = { accountNumber, environment, event, resource, record: { note: "🎉" }, ...rest };
    ids.push(await service.ctx.db.transaction((tx) => recordEvent(tx, one)));
  }
  await number(service);
  return ids;
}

export async function number({ ctx: { db } }: TestService): Promise<void> {
  while (await isAnyWaiting(db)) await numberEvents(db, fanOut);
}

export async function deliveriesOf(
  service: TestService,
  { token, key }: Credential,
  id: string,
  query = "",
): Promise<Body[]> {
  const path = `/webhooks/${id}/deliveries${query}`;
  const answer = await service.request(path, credentialOf({ token, key }));
  if (answer.status !== 200) throw new Error(`listing deliveries answered ${answer.text}`);
  return answer.body.data;
}

/** As if the messenger had tried: the delivery has ended so, with one attempt. */
export async function endDelivery(
  { ctx: { db } }: TestService,
  deliveryId: string,
  end: { state: "delivered" | "failed"; status?: number; head?: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`
      update webhook_deliveries set state = ${end.state}, due_at = null, ended_at = app_now(),
        attempt_count = attempt_count + 1, round_attempt_count = round_attempt_count + 1
      where delivery_id = ${deliveryId}`);
    await tx.run(sql`
      insert into webhook_attempts
        (delivery_id, attempt, began_at, duration_ms, response_status, response_head)
      select delivery_id, attempt_count, app_now(), 12, ${end.status ?? 200}, ${end.head ?? "ok"}
      from webhook_deliveries where delivery_id = ${deliveryId}`);
  });
}
