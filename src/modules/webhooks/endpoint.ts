/**
 * Webhook endpoints: the addresses to which a merchant's events are sent (Decision 0033). Each
 * belongs to one account and one environment, and every query names both. Unknown, foreign, deleted
 * and out of the credential's reach are one 404, by one statement.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, int, omit, type Row, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, reachOf } from "../../infra/http/caller.ts";
import { NotFound } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import type { PageAsked } from "../../kit/page.ts";
import {
  orNull,
  textSchema,
  timestampSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { viewOf } from "../../kit/view-of.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { holdCredential } from "../auth/hold-credential.ts";

const { simulated_receiver, simulated_until } = tables.webhook_endpoints;

/** By the sandbox's time, by which deliveries are made too. */
const IS_SIMULATED = sql`simulated_until > (select app_now())`;

/** What answers instead of the receiver; null: the receiver itself. */
export const SIMULATED_RECEIVER = computed(
  simulated_receiver,
  sql`case when ${IS_SIMULATED} then simulated_receiver end`,
);

export const ENDPOINT = {
  ...omit(
    tables.webhook_endpoints,
    "warned_at",
    "next_due_at",
    "wake_count",
    "rests_until",
    "claim_count",
    "claimed_until",
    "life",
  ),
  simulated_receiver: SIMULATED_RECEIVER,
  simulated_until: computed(
    simulated_until,
    sql`case when ${IS_SIMULATED} then simulated_until end`,
  ),
  /** What its secrets go by. */
  now: computed(timestamp, sql`real_now()`),
};

export type EndpointRow = Row<typeof ENDPOINT>;

export const ENDPOINT_COLUMNS = columns(ENDPOINT);

/** Never with a secret. */
export const endpointView = Type.Object(
  {
    id: uuidSchema("Of the endpoint."),
    url: textSchema("Where events are sent.", "https://shop.example.com/webhooks"),
    environment: wordSchema(ENVIRONMENTS, "Whose events.", "sandbox"),
    events: Type.Array(Type.String(), {
      description: "The events it is told of; `*`: every one.",
      examples: [["payment.success", "payment.refunded"]],
    }),
    description: orNull(textSchema("A name to recognise it by.", "Web shop")),
    status: wordSchema(["active", "disabled"], "Whether it is sent anything."),
    disabled_because: orNull(
      wordSchema(
        ["asked", "gone", "failing"],
        "asked: by its owner. gone: it answered 410. failing: 120 hours of nothing but failure.",
      ),
      null,
    ),
    failing_since: orNull(
      timestampSchema("The first failure after which nothing succeeded."),
      null,
    ),
    previous_secret_until: orNull(
      timestampSchema(
        "Until when the secret before the last rotation still signs beside the new one.",
      ),
      null,
    ),
    simulated_receiver: orNull(
      wordSchema(
        ["ok", "error", "timeout", "gone"],
        "In the sandbox, how deliveries are answered at present instead of being sent.",
        "error",
      ),
      null,
    ),
    simulated_until: orNull(timestampSchema("Until when."), null),
    created_at: timestampSchema("When it was made."),
    changed_at: timestampSchema("When its owner last changed it."),
  },
  { title: "WebhookEndpoint" },
);

/** In the form of a request, so that what was read can be written back. */
const EVERY_EVENT = ["*"];

const LOCKS = {
  "no lock": sql``,
  /** Before its deliveries, as everywhere. Attempts go on; requests to send go one by one. */
  "to send": sql`for no key update`,
  /**
   * Exclusive, because an attempt begins under a shared lock of the key: none begins with the old
   * values once a change was answered (Decision 0034).
   */
  "to change": sql`for update`,
};

export interface WantedEndpoint {
  readonly endpointId: string;
  /** Undefined: either, within the credential's reach. */
  readonly environment: Environment | undefined;
}

export async function findEndpoint(
  db: Queryable,
  { accountNumber, credential }: Caller,
  { endpointId, environment: wanted }: WantedEndpoint,
  lock: keyof typeof LOCKS = "no lock",
): Promise<EndpointRow> {
  const environment = reachOf(credential, wanted) ?? null;
  if (!UUID.test(endpointId)) throw new NotFound("not the shape of an id");
  const row = await db.maybeOne(sqlOf(ENDPOINT)`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints
    where endpoint_id = ${endpointId} and account_number = ${accountNumber}
      and environment = coalesce(${environment}, environment) and status <> 'deleted'
    ${LOCKS[lock]}`);
  if (row === undefined) throw new NotFound("no such endpoint, or not within reach");
  return row;
}

/** For a change: the credential is checked again and held, then the endpoint is locked. */
export async function holdEndpoint(
  tx: Tx,
  caller: Caller,
  wanted: WantedEndpoint,
  lock: keyof typeof LOCKS = "to change",
): Promise<EndpointRow> {
  await holdCredential(tx, caller, "read");
  return findEndpoint(tx, caller, wanted, lock);
}

/** Whose events it gets. */
export function feedOf({ account_number, environment }: EndpointRow) {
  return { accountNumber: account_number, environment };
}

/** Newest first. */
export async function listEndpoints(
  db: Queryable,
  whose: { accountNumber: string; environment: Environment | undefined },
  { page, page_size }: PageAsked,
): Promise<{ rows: EndpointRow[]; total: number }> {
  const wanted = sql`account_number = ${whose.accountNumber} and status <> 'deleted'
    and environment = coalesce(${whose.environment ?? null}, environment)`;
  const { total } = await db.one(sqlOf({ total: int })`
    select count(*)::int as total from webhook_endpoints where ${wanted}`);
  const rows = await db.rows(sqlOf(ENDPOINT)`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints where ${wanted}
    order by created_at desc, endpoint_id desc
    limit ${page_size} offset ${(page - 1) * page_size}`);
  return { rows, total };
}

export const viewEndpoint = viewOf(endpointView.properties, (row: EndpointRow) => {
  const { endpoint_id: id, events, previous_secret_until: until, now } = row;
  return {
    id,
    events: events ?? EVERY_EVENT,
    previous_secret_until: until !== null && until > now ? until : null,
  };
});
