/**
 * Webhook endpoints: where a merchant wants to be told of events (Decision 0033).
 *
 * The rule that matters: an endpoint belongs to one account and one environment, and everything
 * about it is asked with both. Unknown, somebody else's, deleted and out of a key's reach are one
 * 404, found out by one statement.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, omit, type Row, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { type Caller, reachOf } from "../../infra/http/caller.ts";
import { NotFound } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import {
  orNull,
  textSchema,
  timestampSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import type { Environment } from "../../kit/vocabulary.ts";

export const ENVIRONMENTS = ["live", "sandbox"] as const satisfies readonly Environment[];
/** Nothing else is worth a look; PostgreSQL would even call it an error. */

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
  now: computed(timestamp, sql`app_now()`),
};

export type EndpointRow = Row<typeof ENDPOINT>;

export const ENDPOINT_COLUMNS = columns(ENDPOINT);

/** What a list or a read shows. Never a secret. */
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
    created_at: timestampSchema("When it was made."),
    changed_at: timestampSchema("When its owner last changed it."),
  },
  { title: "WebhookEndpoint" },
);

/** As it can be sent, so that what was read can be written back. */
const EVERY_EVENT = ["*"];

const LOCKS = {
  "no lock": sql``,
  /** Before its deliveries, as everywhere. Attempts go on; of two who ask for this, one waits. */
  "to send": sql`for no key update`,
  /**
   * In full, because an attempt begins under a shared lock of its key: once a change has been
   * answered, none begins that did not know of it (Decision 0034).
   */
  "to change": sql`for update`,
};

export interface WantedEndpoint {
  readonly endpointId: string;
  /** Undefined: either, as far as the credential reaches. */
  readonly environment: Environment | undefined;
}

export async function findEndpoint(
  db: Queryable,
  { accountNumber, credential }: Caller,
  { endpointId, environment: asked }: WantedEndpoint,
  lock: keyof typeof LOCKS = "no lock",
): Promise<EndpointRow> {
  const environment = reachOf(credential, asked) ?? null;
  if (!UUID.test(endpointId)) throw new NotFound("not the shape of an id");
  const row = await db.maybeOne(sqlOf(ENDPOINT)`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints
    where endpoint_id = ${endpointId} and account_number = ${accountNumber}
      and environment = coalesce(${environment}, environment) and status <> 'deleted'
    ${LOCKS[lock]}`);
  if (row === undefined) throw new NotFound("no such endpoint, or not within reach");
  return row;
}

export function viewEndpoint(row: EndpointRow) {
  const { previous_secret_until: until } = row;
  return {
    id: row.endpoint_id,
    url: row.url,
    environment: row.environment,
    events: row.events ?? EVERY_EVENT,
    description: row.description,
    status: row.status,
    disabled_because: row.disabled_because,
    failing_since: row.failing_since,
    previous_secret_until: until !== null && until > row.now ? until : null,
    created_at: row.created_at,
    changed_at: row.changed_at,
  };
}
