/** Bugs in the feed, its order, and signed webhooks. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const EVENTS = "src/modules/events";
const WEBHOOKS = "src/modules/webhooks";

export const webhookMutants: readonly Mutant[] = [
  {
    name: "webhook-signed-with-the-wrong-key",
    breaks: "receivers that check refuse every event",
    change: {
      file: `${WEBHOOKS}/sign-webhook.ts`,
      find: 'const key = createSecretKey(secret.slice(SECRET_PREFIX.length), "base64");',
      replace: 'const key = createSecretKey(secret.slice(SECRET_PREFIX.length), "utf8");',
    },
    caughtBy: ["src/modules/webhooks/sign-webhook.test.ts"],
  },
  {
    name: "webhook-signed-without-its-time",
    breaks: "a recorded webhook can be replayed later",
    change: {
      file: `${WEBHOOKS}/sign-webhook.ts`,
      find: "const signed = `${eventId}.${timestamp}.${parts.body}`;",
      replace: "const signed = `${eventId}..${parts.body}`;",
    },
    caughtBy: ["src/modules/webhooks/sign-webhook.test.ts"],
  },
  {
    name: "old-secret-dropped-at-once",
    breaks: "a receiver that does not have the new secret yet misses events",
    change: {
      file: `${WEBHOOKS}/sign-webhook.ts`,
      find: '"webhook-signature": secrets\n      .map(',
      replace: '"webhook-signature": [newest]\n      .map(',
    },
    caughtBy: ["src/modules/webhooks/sign-webhook.test.ts"],
  },
  {
    name: "event-told-before-commit",
    breaks: "events of work that began first and ended last are numbered in the wrong order",
    change: {
      sql: `drop trigger an_event_takes_its_place_at_commit on events;
        create trigger an_event_takes_its_place_at_commit after insert on events
          for each row execute function queue_event()`,
    },
    caughtBy: ["test/events/order.test.ts", "test/events/numbering.test.ts"],
  },
  {
    name: "gap-in-the-numbers",
    breaks: "receivers wait for an event that never was",
    change: {
      file: `${EVENTS}/number-events.ts`,
      find: "row_number() over (partition",
      replace: "2 * row_number() over (partition",
    },
    caughtBy: ["test/events/numbering.test.ts"],
  },
  {
    name: "numbered-by-two-at-once",
    breaks: "two processes number the same events",
    change: {
      file: `${EVENTS}/number-events.ts`,
      find: "if (!(await takeTurn(tx))) return NONE;",
      replace: "await takeTurn(tx);",
    },
    caughtBy: ["test/events/numbering.test.ts"],
  },
  {
    name: "feed-of-both-environments",
    breaks: "live events are read with a test key",
    change: {
      file: `${EVENTS}/list-events.ts`,
      find: "and environment = ${environment}\n        and sequence >",
      replace: "and ${environment}::text is not null\n        and sequence >",
    },
    caughtBy: ["test/reach.test.ts", "test/api/events/list.test.ts"],
  },
  {
    name: "endpoint-of-another-tenant",
    breaks: "a merchant turns the webhooks of others to itself",
    change: {
      file: `${WEBHOOKS}/endpoint.ts`,
      find: "where endpoint_id = ${endpointId} and account_number = ${accountNumber}",
      replace: "where endpoint_id = ${endpointId} and ${accountNumber}::text is not null",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "endpoint-of-the-other-environment",
    breaks: "a test key rotates the secret of a live endpoint",
    change: {
      file: `${WEBHOOKS}/endpoint.ts`,
      find: "and environment = coalesce(${environment}, environment) and status <> 'deleted'",
      replace:
        "and ${environment}::text is not distinct from ${environment} and status <> 'deleted'",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "retry-one-wait-too-early",
    breaks: "a receiver in trouble is asked again at once",
    change: {
      file: `${WEBHOOKS}/retry-schedule.ts`,
      find: "WAITS_SECONDS[failure.attemptsMade]",
      replace: "WAITS_SECONDS[failure.attemptsMade - 1]",
    },
    caughtBy: ["src/modules/webhooks/retry-schedule.test.ts"],
  },
  {
    name: "late-answer-ends-the-next-round",
    breaks: "an attempt of a round that is over gives up a delivery that was sent again",
    change: {
      file: `${WEBHOOKS}/end-attempts.ts`,
      find: "and attempt_count = attempt and one.round = ended.round",
      replace: "",
    },
    caughtBy: ["test/webhooks/rounds.test.ts"],
  },
  {
    name: "stop-keeps-a-locked-endpoint",
    breaks: "endpoints of a stopped process wait for the lease to run out",
    change: {
      file: `${WEBHOOKS}/drain-endpoint.ts`,
      find: "if (performance.now() >= (this.#releaseUntil ?? Infinity)) return true;",
      replace: "if (!this.#mayBegin) return true;",
    },
    caughtBy: ["src/modules/webhooks/drain-endpoint.test.ts"],
  },
  {
    name: "webhook-to-the-machine-next-door",
    breaks: "a merchant's address leads into our own network",
    change: {
      file: "src/infra/outbound/forbidden-addresses.ts",
      find: '  "169.254.0.0/16",\n',
      replace: "",
    },
    caughtBy: ["src/infra/outbound/forbidden-addresses.test.ts"],
  },
];
