/** `GET /console/live`: tells an open page when something of its account has changed. */

import type { Answer } from "../../infra/http/answer.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { optional } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";

const EVENT_STREAM = "text/event-stream";
/** The browser does not connect again. */
const NO_MORE: Answer = { status: 204, body: "" };
const POSITION = /^\d{1,18}$/;

export const liveRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    method: "GET",
    path: "/console/live",
    summary: "Follow what changes",
    right: "payments",
    isIdle: true,
    answers: {
      200: { about: "`changed` whenever something has", contentType: EVENT_STREAM },
      204: { about: "No more streams here, or the session acts for another account" },
    },
    query: {
      account_number: optional(text({ max: 32 })),
      environment: optional(oneOf(ENVIRONMENTS)),
      seen: optional(text({ max: 32 })),
    },
    async run({ liveStreams }: ConsoleContext, { query, header }, visitor): Promise<Answer> {
      const { accountNumber } = visitor.account;
      const { account_number = accountNumber, environment = visitor.environment } = query;
      if (account_number !== accountNumber) return NO_MORE;
      const last = header("last-event-id") ?? query.seen ?? "";
      const seen = POSITION.test(last) ? BigInt(last) : visitor.feedPosition;
      const feed = { accountNumber, environment };
      const body = liveStreams.open({ feed, sessionId: visitor.sessionId, seen });
      if (body === undefined) return NO_MORE;
      return {
        status: 200,
        body,
        contentType: EVENT_STREAM,
        headers: { "cache-control": "no-store" },
      };
    },
  }),
];
