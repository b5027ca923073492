/**
 * The HTTP server: Node's own limits on everything a client can stretch, our routes, a stop that
 * drops nothing. No business rule lives here.
 *
 * Two promises: every answer is JSON with a `message` (documents and pages excepted), and no input
 * makes it a 5xx. What only a proxy can do well (slow clients, floods, limits per address) is left
 * to the proxy (Decision 0075).
 */

import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { SECOND_MS } from "../../../kit/clock.ts";
import type { Infra } from "../../context.ts";
import type { Readiness } from "../../db/readiness.ts";
import type { AdmissionContext, Authenticate } from "../admit/admit-request.ts";
import { createAddressReader } from "../admit/client-address.ts";
import { createBadCredentialCount } from "../admit/limit-bad-credentials.ts";
import { createRateLimiter } from "../admit/rate-limiter.ts";
import type { RecordAnswer } from "../answered.ts";
import type { ErrorPage, Route } from "../route.ts";
import { createRouter, type Router } from "../serve/router.ts";
import { endpointOf, routerPath } from "../serve/serve-route.ts";
import { uploadEndpoint } from "../serve/serve-upload.ts";
import { v1Endpoint } from "../serve/serve-v1-route.ts";
import { createShapeCheck } from "./check-request-shape.ts";
import { createRequestHandler } from "./handle-request.ts";
import { type ListenAddress, type Listening, listenAt } from "./listen-addresses.ts";
import { refuseMalformed, refuseTunnel } from "./refuse-malformed.ts";
import { createLoadShedder } from "./shed-load.ts";
import { UPLOAD_MS_MAX } from "./time-limits.ts";

const CONNECTIONS_MAX = 4_000;
const REQUESTS_PER_SOCKET_MAX = 1_000;
/** Without a byte in either direction: longer than a use case may take. */
const SILENCE_MS_MAX = 30 * SECOND_MS;
const EVENTS = ["request", "checkContinue", "checkExpectation"];
const HTTP_LIMITS = {
  headersTimeout: 10 * SECOND_MS,
  requestTimeout: UPLOAD_MS_MAX,
  /** Every answer states it; Node keeps the connection a second longer. */
  keepAliveTimeout: 10 * SECOND_MS,
  // How often Node looks for late clients: its own 30 s would make the limits above meaningless.
  connectionsCheckingInterval: 500,
  maxHeaderSize: 8_192,
  requireHostHeader: false, // we demand it ourselves, in our own words
  joinDuplicateHeaders: false,
  insecureHTTPParser: false,
};

/** Where requests come from. */
interface Port {
  readonly http: HttpServer;
  readonly listening: Listening | undefined;
}

export interface Server {
  readonly http: HttpServer;
  /** Gives the first address, as a link. */
  listen(at: ListenAddress): Promise<string>;
  /** From now on new requests are refused, and every answer is the last on its connection. */
  drain(): void;
  /** Requests are refused and connections kept; resolves when at most so many are under way. */
  pause(underWayMax: number): Promise<void>;
  /** Leaves its port and connections to the server that comes after it. */
  handOver(): Port;
  /** Waits for requests under way; after `cutAfterMs` their connections are closed. */
  close(cutAfterMs?: number): Promise<void>;
}

export function createServer<Ctx extends Infra & { readonly readiness: Readiness }>(
  ctx: Ctx,
  options: {
    routes: readonly Route<Ctx>[];
    authenticate: Authenticate;
    record?: RecordAnswer | undefined;
    unknownPathPage: ErrorPage;
    /** Whose port and connections it takes over (Decision 0105); absent: its own. */
    after?: Server | undefined;
  },
): Server {
  const load = createLoadShedder({
    atOnceMax: ctx.config.http.requestsAtOnceMax,
    loopDelayMsMax: ctx.config.http.overloadLoopDelayMs,
    waiting: () => ctx.db.waiting(),
    onNotTaking: (why) => ctx.readiness.noteNotTaking(why),
    log: ctx.log,
  });
  const router = createRouter();
  addRoutes(router, ctx, options);
  const checkShape = createShapeCheck(ctx.config);
  const { record, unknownPathPage } = options;
  const { log } = ctx;
  const handler = createRequestHandler({ router, checkShape, load, log, record, unknownPathPage });
  const port = options.after?.handOver() ?? { http: limitedServer(), listening: undefined };
  const { http } = port;
  let { listening } = port;
  // An expectation we do not know is ignored; Node would refuse it with an answer of its own. And
  // "100-continue" is answered once the caller is admitted.
  for (const event of EVENTS) http.on(event, handler.handle);
  return {
    http,
    async listen(at) {
      listening = await listenAt(http, at);
      return listening.url;
    },
    drain: load.drain,
    pause: load.pause,
    handOver() {
      for (const event of EVENTS) http.off(event, handler.handle);
      handler.stop();
      load.stop();
      return { http, listening };
    },
    async close(cutAfterMs = Infinity) {
      await listening?.close(cutAfterMs);
      handler.stop();
      load.stop();
    },
  };
}

function limitedServer(): HttpServer {
  const http = createHttpServer(HTTP_LIMITS);
  http.maxConnections = CONNECTIONS_MAX;
  http.maxRequestsPerSocket = REQUESTS_PER_SOCKET_MAX;
  http.timeout = SILENCE_MS_MAX;
  http.on("clientError", refuseMalformed);
  http.on("connect", refuseTunnel);
  return http;
}

function addRoutes<Ctx extends Infra>(
  router: Router,
  ctx: Ctx,
  { routes, authenticate }: { routes: readonly Route<Ctx>[]; authenticate: Authenticate },
): void {
  const count = createRateLimiter(ctx.db);
  const max = ctx.config.limitsPerMinute.bad_credentials;
  const admissions: AdmissionContext = {
    config: ctx.config,
    authenticate,
    count,
    countBadCredential: createBadCredentialCount({ count, max, log: ctx.log }),
    readAddress: createAddressReader(ctx.config.http.trustedProxies),
  };
  const endpoint = (route: Route<Ctx>) => {
    const { path, overridableBy, successors, upload: rules } = route;
    if (successors !== undefined) return v1Endpoint(ctx, admissions, route);
    if (rules === undefined) return endpointOf(ctx, admissions, route);
    const other = routes.find((one) => one.path === path && one.method === overridableBy);
    return uploadEndpoint(ctx, admissions, { route, rules, other });
  };
  for (const route of routes) router.add(route.method, routerPath(route.path), endpoint(route));
}
