/**
 * The service as the tests run it: the real app on a real port with a real database of its own.
 *
 * Every answer is checked against the OpenAPI document, so each test is a test of the contract too.
 * Limits are out of the way unless a test asks for them.
 */

import { type AppContext, afterNumbering, createApp, createContext } from "../src/app.ts";
import { readConfig } from "../src/infra/config.ts";
import { openDatabase } from "../src/infra/db/database.ts";
import type { Server } from "../src/infra/http/listen/server.ts";
import type { Route } from "../src/infra/http/route.ts";
import { createLog } from "../src/infra/log.ts";
import { isAnyWaiting, numberEvents } from "../src/modules/events/number-events.ts";
import { assertCommon, createAnswerChecker, isJsonType } from "./answer-checker.ts";
import { rowCheck } from "./check-rows.ts";
import { freshDatabase, type TestDatabase } from "./database.ts";
import { moveClock } from "./move-clock.ts";
import { NO_LIMITS } from "./no-limits.ts";
import { watchAnswers } from "./watch-answers.ts";
import { createWorld, type World } from "./world.ts";

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is something else. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export interface RequestOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as form data. */
  readonly form?: Record<string, string>;
  readonly raw?: { type: string; body: string | Uint8Array };
  readonly token?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

export interface TestService {
  readonly url: string;
  readonly ctx: AppContext;
  readonly server: Server;
  readonly database: TestDatabase;
  readonly world: World;
  /** Every log line so far. */
  readonly logged: readonly string[];
  readonly clock: {
    advance(by: { seconds?: number; minutes?: number; hours?: number }): Promise<void>;
  };
  request(path: string, options?: RequestOptions): Promise<TestAnswer>;
  /** Does the sequencer's work, which no test service does by itself, until none waits. */
  numberEvents(): Promise<void>;
  stop(): Promise<void>;
}

const TEST_SETTINGS = {
  PORT: "0",
  PASSWORD_HASHING: "floor",
  LIVE_PAYOUTS: "files",
  LOG_LEVEL: "info",
  OVERLOAD_LOOP_DELAY_MS: "0",
  ...NO_LIMITS,
};

export async function startService(
  options: {
    settings?: Record<string, string>;
    extraRoutes?: readonly Route<AppContext>[];
    database?: TestDatabase;
    /** What this process has otherwise than the app would wire it. */
    context?: Partial<AppContext>;
  } = {},
): Promise<TestService> {
  const database = options.database ?? (await freshDatabase());
  const config = readConfig({ ...TEST_SETTINGS, ...options.settings });
  const logged: string[] = [];
  const log = createLog({ level: config.logLevel, write: (line) => void logged.push(line) });
  const { standbyUrl } = config.database;
  const opened = { url: database.url, standbyUrl, connectionsMax: 10, log, check: rowCheck };
  const db = openDatabase(opened);
  const ctx = { ...(await createContext({ config, log, db })), ...options.context };
  const server = createApp(ctx, { extraRoutes: options.extraRoutes ?? [] });
  const check = createAnswerChecker(ctx, (options.extraRoutes ?? []) as readonly Route<never>[]);
  const watched = watchAnswers(server.http, check);
  const url = await server.listen({ host: "127.0.0.1", port: config.http.port });

  async function request(path: string, asked: RequestOptions = {}): Promise<TestAnswer> {
    const answer = await send(url + path, asked);
    assertCommon(answer);
    check({ method: asked.method ?? "GET", path, ...answer });
    return answer;
  }

  return {
    url,
    ctx,
    server,
    database,
    logged,
    request,
    world: createWorld(ctx, request),
    clock: {
      advance: ({ seconds = 0, minutes = 0, hours = 0 }) =>
        moveClock(db, { seconds: seconds + 60 * minutes + 3600 * hours }),
    },
    async numberEvents() {
      while (await isAnyWaiting(db)) await numberEvents(db, afterNumbering(ctx));
    },
    async stop() {
      await ctx.liveStreams.stop();
      await server.close();
      await ctx.keyUsage.stop();
      await ctx.v1Use.stop();
      await ctx.requestLog.stop();
      await ctx.images.stop();
      await ctx.gateways.live?.stop();
      await db.close();
      if (options.database === undefined) await database.drop();
      watched.assertFine();
    },
  };
}

async function send(url: string, asked: RequestOptions): Promise<TestAnswer> {
  const { type, body } = bodyOf(asked);
  const response = await fetch(url, {
    method: asked.method ?? "GET",
    redirect: "manual",
    headers: {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(asked.token === undefined ? {} : { authorization: `Bearer ${asked.token}` }),
      ...(asked.key === undefined ? {} : { "x-svc-key": asked.key }),
      ...asked.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = isJsonType(response.headers.get("content-type"));
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}

function bodyOf(asked: RequestOptions): { type?: string; body?: NonNullable<RequestInit["body"]> } {
  if (asked.raw !== undefined)
    return { type: asked.raw.type, body: asked.raw.body as NonNullable<RequestInit["body"]> };
  if (asked.json !== undefined)
    return { type: "application/json", body: JSON.stringify(asked.json) };
  if (asked.form !== undefined)
    return {
      type: "application/x-www-form-urlencoded",
      body: new URLSearchParams(asked.form).toString(),
    };
  return {};
}
