/** Endpoints and events without the API, for tests of the messenger; and the messenger at work. */

import { randomUUID } from "node:crypto";
import { after } from "node:test";
import type { AppContext } from "../src/app.ts";
import { type Queryable, sql } from "../src/infra/db/query.ts";
import type { Keyring } from "../src/kit/secrets.ts";
import type { Environment } from "../src/kit/vocabulary.ts";
import type { EventName } from "../src/modules/events/catalogue.ts";
import type { NewEvent } from "../src/modules/events/event.ts";
import { createSequencer } from "../src/modules/events/number-events.ts";
import { recordEvents } from "../src/modules/events/record-event.ts";
import type { AttemptRow, DeliveryRow } from "../src/modules/webhooks/delivery.ts";
import { newSecret, sealSecret } from "../src/modules/webhooks/endpoint-secret.ts";
import { fanOut } from "../src/modules/webhooks/fan-out.ts";
import { makeMerchants } from "./books.ts";
import { type Behaviour, type Receiver, startReceiver } from "./receivers.ts";
import { startService, type TestService } from "./service.ts";

export interface TestEndpoint {
  readonly endpointId: string;
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly secret: string;
  readonly receiver: Receiver;
}

export interface Scene {
  readonly service: TestService;
  /** Of an account of its own unless told, at a receiver of its own. */
  endpoint(options?: EndpointOptions): Promise<TestEndpoint>;
  /** Records events of that account, numbers them and fans them out; gives their ids in order. */
  tell(who: Who, events?: readonly ToldEvent[]): Promise<string[]>;
  /** Sends what is due, once. */
  deliver(endpoint: TestEndpoint): Promise<void>;
  /** Everything that a worker process does about webhooks, until it is stopped; once per scene. */
  work(): Promise<() => Promise<void>>;
  delivery(endpoint: TestEndpoint, eventId: string): Promise<DeliveryRow>;
  attempts(endpoint: TestEndpoint): Promise<AttemptRow[]>;
}

type Who = Pick<TestEndpoint, "accountNumber" | "environment">;

interface EndpointOptions {
  readonly of?: Who;
  readonly behaviour?: Behaviour;
  readonly events?: readonly EventName[];
  readonly environment?: Environment;
}

export interface ToldEvent {
  readonly event?: EventName;
  readonly resource?: string;
  readonly record?: object;
  readonly onlyEndpointId?: string;
}

/** For a whole test file; all of it is gone afterwards. */
export async function setScene(): Promise<Scene> {
  const service = await startService();
  const receivers: Receiver[] = [];
  let stopWork = () => service.ctx.messenger.stop();
  after(async () => {
    await stopWork();
    await Promise.all(receivers.map((one) => one.close()));
    await service.stop();
  });
  const { db, config } = service.ctx;
  return {
    service,
    async endpoint({ of, behaviour, events, environment = "live" } = {}) {
      const receiver = await startReceiver(behaviour);
      receivers.push(receiver);
      const who = of ?? { accountNumber: (await makeMerchants(db, 1))[0] ?? "", environment };
      const made = await insertEndpoint(db, config.wrappingKeys, {
        ...who,
        url: receiver.url,
        events: events ?? null,
      });
      return { ...who, ...made, receiver };
    },
    async tell(who, events = [{}]) {
      const ids = await recordAll(
        service.ctx,
        events.map((one) => newEvent(who, one)),
      );
      await service.numberEvents();
      return ids;
    },
    async work() {
      const stop = runMessenger(service.ctx);
      let stopped: Promise<void> | undefined;
      stopWork = () => {
        stopped ??= stop();
        return stopped;
      };
      return stopWork;
    },
    deliver: ({ endpointId }) => service.ctx.messenger.deliver(endpointId),
    delivery: ({ endpointId }, eventId) =>
      db.one<DeliveryRow>(sql`
        select * from webhook_deliveries
        where endpoint_id = ${endpointId} and event_id = ${eventId}`),
    attempts: ({ endpointId }) =>
      db.rows<AttemptRow>(sql`
        select a.* from webhook_attempts a join webhook_deliveries using (delivery_id)
        where endpoint_id = ${endpointId} order by began_at, sequence, attempt`),
  };
}

export function newEvent(who: Who, told: ToldEvent): NewEvent {
  const { event = "payment.success", resource = randomUUID(), record = { is: "a record" } } = told;
  const { accountNumber, environment } = who;
  const only = told.onlyEndpointId === undefined ? {} : { onlyEndpointId: told.onlyEndpointId };
  return { accountNumber, environment, event, resource, record, ...only };
}

export function recordAll(
  { db }: Pick<AppContext, "db">,
  events: readonly NewEvent[],
): Promise<string[]> {
  return db.transaction((tx) => recordEvents(tx, events));
}

export async function insertEndpoint(
  db: Queryable,
  keyring: Keyring,
  at: {
    accountNumber: string;
    environment: Environment;
    url: string;
    events?: readonly EventName[] | null;
  },
): Promise<{ endpointId: string; secret: string }> {
  const endpointId = randomUUID();
  const secret = newSecret();
  const { keyId, box } = sealSecret(keyring, endpointId, secret);
  await db.run(sql`
    insert into webhook_endpoints
      (endpoint_id, account_number, environment, url, events, secret_key_id, secret_box)
    values (${endpointId}, ${at.accountNumber}, ${at.environment}, ${at.url},
      ${at.events ?? null}, ${keyId}, ${box})`);
  return { endpointId, secret };
}

/** Everything that a worker process does about webhooks. */
function runMessenger(ctx: AppContext): () => Promise<void> {
  const { messenger } = ctx;
  const sequencer = createSequencer(ctx, {
    afterNumbering: fanOut,
    whenTold: messenger.hurry,
  });
  sequencer.start();
  messenger.start();
  return async () => {
    await sequencer.stop();
    await messenger.stop();
  };
}
