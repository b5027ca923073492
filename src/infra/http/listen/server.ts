/**
 * The HTTP server: limits on everything a client can stretch, the guards, the routes, and honest
 * words when something is not there. No business rule lives here.
 *
 * Two promises: every answer is JSON with a `message` (documents and pages excepted), and no input
 * makes it a 5xx.
 */

import Fastify, { type FastifyInstance, LogController } from "fastify";
import { newRequestId } from "../../../kit/ids.ts";
import type { Infra } from "../../context.ts";
import { createBadCredentialCount } from "../admit/bad-credentials.ts";
import { createAddressReader } from "../admit/client-address.ts";
import { createRateLimiter } from "../admit/rate-limiter.ts";
import { acceptBodies, BODY_BYTES_MAX } from "../body/read-body.ts";
import { limitConnections } from "../limit-connections.ts";
import { limitCrowd } from "../limit-crowd.ts";
import { limitSilence } from "../limit-silence.ts";
import { paceAnswers } from "../pace-answers.ts";
import type { Authenticate, Route } from "../route.ts";
import { measureRequests } from "../serve/measure-requests.ts";
import { HttpRefused, renderError } from "../serve/render-error.ts";
import { closeAfterAnswers, ResponseWithCommonHeaders } from "../serve/response-headers.ts";
import { createOtherMethods, type OtherMethods } from "../serve/router.ts";
import { fastifyPath, serveRoute } from "../serve/serve-route.ts";
import { serveUpload, type UploadRoute } from "../serve/serve-upload.ts";
import { serveV1Route, type V1Route } from "../serve/serve-v1-route.ts";
import { createTurnAway } from "../turn-away.ts";
import { createRequestGuard, refuseWhen } from "./guards.ts";
import { refuseMalformed, refuseTunnel } from "./refuse-malformed.ts";
import { leadsNowhere, originForm } from "./request-target.ts";
import { watchOverload } from "./shed-load.ts";
import { limitTimes, UPLOAD_MS_MAX } from "./time-limits.ts";

const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: UPLOAD_MS_MAX,
  // Node looks for late clients this often: its 30 s would make the two limits above meaningless,
  // and the rarer the look, the more are found late together, and come again together.
  connectionsCheckingInterval: 100,
  maxHeaderSize: 8_192,
  requireHostHeader: false, // our guard demands it, in our own words
  joinDuplicateHeaders: false,
  insecureHTTPParser: false,
};
const REQUESTS_PER_SOCKET_MAX = 1_000;
const ROUTING = { ignoreTrailingSlash: true, maxParamLength: 64 };

/** Fields are read by our own hand; Fastify would load a validator and a serializer for nothing. */
const NO_SCHEMAS = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

function refuseSchemas(): never {
  throw new Error("a route of Fastify's own was given a schema");
}

export interface Server {
  readonly app: FastifyInstance;
  /** From now on every new request is told to come back later. */
  drain(): void;
  isDraining(): boolean;
}

export function createServer<Ctx extends Infra>(
  ctx: Ctx,
  options: { routes: readonly Route<Ctx>[]; authenticate: Authenticate },
): Server {
  const app = bareServer(ctx);
  let draining = false;
  const overload = watchOverload({
    loopDelayMsMax: ctx.config.http.overloadLoopDelayMs,
    waiting: () => ctx.db.waiting(),
  });
  const guard = createRequestGuard(ctx.config);
  const times = limitTimes(app);
  const atOnceMax = ctx.config.http.requestsAtOnceMax;
  const turnAway = createTurnAway(options.routes, ctx.log);
  const crowd = limitCrowd(app, { atOnceMax, turnAway });
  paceAnswers(app);
  const otherMethods = createOtherMethods(ROUTING);
  const refuseBusy = refuseWhen(() => (draining ? "the process is stopping" : overload.reason()));

  app.decorateRequest("caller", undefined).decorateRequest("clientAddress", "");
  // Hooks that wait for nothing are plain functions: a promise for each would cost every request.
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.requestLine = `x-request-id: ${request.id}\r\n`;
    // Without `done`, for it has been answered.
    if (!crowd.letIn(request, reply)) return;
    guard(request);
    refuseBusy(request);
    // Here and not in a handler, which would come after the body.
    if (leadsNowhere(request.raw.url ?? "")) throw new HttpRefused("unknown_path");
    if (request.is404) return otherMethods.refuse(request, reply);
    times.watchBody(request, reply);
    done();
  });
  app.addHook("onClose", async () => overload.stop());
  measureRequests(app, ctx.log);
  acceptBodies(app);
  app.setErrorHandler(renderError);
  serveRoutes(app, ctx, options, otherMethods);
  return {
    app,
    drain() {
      draining = true;
      closeAfterAnswers(app.server);
    },
    isDraining: () => draining,
  };
}

function bareServer(ctx: Infra): FastifyInstance {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request costs more than the request's own work; the few lines that
    // are written name the request themselves.
    childLoggerFactory: (log) => log,
    http: { ...HTTP_LIMITS, ServerResponse: ResponseWithCommonHeaders },
    requestTimeout: HTTP_LIMITS.requestTimeout,
    maxRequestsPerSocket: REQUESTS_PER_SOCKET_MAX,
    bodyLimit: BODY_BYTES_MAX,
    requestIdHeader: false,
    genReqId: newRequestId,
    schemaController: { compilersFactory: NO_SCHEMAS },
    return503OnClosing: false, // we say it ourselves, in our own words and with Retry-After
    forceCloseConnections: "idle",
    routerOptions: {
      ...ROUTING,
      querystringParser: () => ({}), // each route reads its own fields, strictly
    },
    rewriteUrl: ({ url = "/" }) => originForm(url),
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, request, reply) => {
      reply.raw.requestLine = `x-request-id: ${request.id}\r\n`;
      renderError(error, request, reply);
    },
  });
  limitConnections(app.server, ctx.config.http);
  limitSilence(app.server);
  // An expectation we do not know is ignored; Node would refuse it with an answer of its own. And
  // "100-continue" is answered once the caller is let in, not before anybody has looked.
  for (const event of ["checkExpectation", "checkContinue"])
    app.server.on(event, (...given) => app.server.emit("request", ...given));
  app.server.on("connect", refuseTunnel);
  return app as unknown as FastifyInstance;
}

function serveRoutes<Ctx extends Infra>(
  app: FastifyInstance,
  ctx: Ctx,
  options: { routes: readonly Route<Ctx>[]; authenticate: Authenticate },
  otherMethods: OtherMethods,
): void {
  const count = createRateLimiter(ctx.db);
  const max = ctx.config.limitsPerMinute.bad_credentials;
  const door = {
    config: ctx.config,
    authenticate: options.authenticate,
    count,
    countBadCredential: createBadCredentialCount({ count, max, log: ctx.log }),
    readAddress: createAddressReader(ctx.config.http.trustedProxies),
  };
  for (const route of options.routes) {
    if (isUpload(route)) serveUpload(app, ctx, door, route, overriding(route, options.routes));
    else if (isV1Route(route)) serveV1Route(app, ctx, door, route);
    else serveRoute(app, ctx, door, route);
    otherMethods.serves(fastifyPath(route.path), route.method);
  }
  otherMethods.fence(app);
}

function isUpload<Ctx>(route: Route<Ctx>): route is UploadRoute<Ctx> {
  return route.upload !== undefined;
}

function isV1Route<Ctx>(route: Route<Ctx>): route is V1Route<Ctx> {
  return route.successors !== undefined;
}

function overriding<Ctx>({ path, overridableBy }: Route<Ctx>, routes: readonly Route<Ctx>[]) {
  return routes.find((other) => other.path === path && other.method === overridableBy);
}
