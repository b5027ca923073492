/**
 * Sends random requests, many at once, and judges each answer. The requests of a batch follow from
 * its seed and from which routes no request was good for yet, so one that fails is made again by
 * its place in the batch and shrunk by fast-check; if it does not fail again by itself, it needed
 * the others, and is shown as it was.
 */

import fc from "fast-check";
import { type AppContext, appRoutes } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { runJobs } from "../../src/infra/jobs/run-jobs.ts";
import { SCOPES } from "../../src/kit/scopes.ts";
import { sendResetLinkJob } from "../../src/modules/people/forgot-password.ts";
import { mintToken } from "../../testkit/credentials.ts";
import { leadsToSignIn } from "../../testkit/fuzz/browsers.ts";
import { type Cast, createCast } from "../../testkit/fuzz/cast.ts";
import { damages, sendDamaged } from "../../testkit/fuzz/damaged-requests.ts";
import { goodRequestsTo } from "../../testkit/fuzz/good-requests.ts";
import { badLines, judgeAnswer } from "../../testkit/fuzz/judge-answer.ts";
import { type FuzzRequest, requestsTo } from "../../testkit/fuzz/requests.ts";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import { routeName } from "../../testkit/route-requests.ts";
import type { TestService } from "../../testkit/service.ts";
import { describeFailure, kindOf, messageOf, type Sending } from "./describe-failure.ts";
import { ACQUIRER_ALARMS, beginFaults, isLivePath } from "./live-payments.ts";
import { hasReason } from "./not-reached.ts";
import { createWaits, type Waits } from "./waits.ts";
import { prove, work } from "./work.ts";

const BATCH = 500;
const DAMAGED_PER_BATCH = 5;
const AT_ONCE = 24;
/** Of a batch, for routes that are missed and what leads to them: for each, and at most. */
const MISSED_PERCENT_EACH = 1;
const MISSED_PERCENT_MAX = 50;
const FAILURES_MAX = 15;
/** A file of megabytes, to any request; a stream, which lasts a minute. */
const NO_TARGETS = ["/docs/reference.js", "/console/live"];
/** They move the time of all the others. */
const NO_TARGETS_UNDER = ["/sandbox/clock", "/sandbox/snapshots"];
/** What the simulated gateway and bank do on purpose is for a person to look at. */
const EXPECTED_ALARMS = [
  "a payment ended without a known outcome",
  "a late approval could not be voided yet",
];

export interface PartOptions {
  readonly requests: number;
  readonly seed: number;
  /** Live payments go there, and only what has to do with them is asked for. */
  readonly acquirer?: PowertranzFake | undefined;
  readonly onProgress: (done: number) => void;
}

export interface PartResult {
  readonly statuses: ReadonlyMap<number, number>;
  /** All that were asked. */
  readonly routes: readonly string[];
  /** Routes of which no request was a good one. */
  readonly untouched: readonly string[];
  /** Places of records of which none was made while it ran. */
  readonly neverRenewed: readonly string[];
  /** What was sent again because it had waited too long, in words. */
  readonly waits: string | undefined;
  readonly failures: readonly string[];
}

interface Part {
  readonly service: TestService;
  readonly acquirer: PowertranzFake | undefined;
  /** For one batch. */
  requests(): fc.Arbitrary<FuzzRequest>;
  readonly cast: Cast;
  readonly statuses: Map<number, number>;
  readonly waits: Waits;
  readonly untouched: Set<string>;
  /** What went wrong, once for each kind. */
  readonly failures: Map<string, string>;
}

export async function runPart(service: TestService, options: PartOptions): Promise<PartResult> {
  const { acquirer } = options;
  const targets = appRoutes(service.ctx).filter(
    (route) => isTarget(route) && (acquirer === undefined || isLivePath(route)),
  );
  if (acquirer !== undefined) await beginFaults(acquirer, options.seed);
  const untouched = new Set(targets.map(routeName));
  const part: Part = {
    service,
    acquirer,
    requests: requestsFor(targets, untouched),
    cast: await createCast(service),
    statuses: new Map(),
    waits: createWaits(service),
    untouched,
    failures: new Map(),
  };
  // Links to set a password are made behind the request.
  const jobs = await runJobs<AppContext>(service.ctx, [sendResetLinkJob]);
  for (let done = 0; done < options.requests && part.failures.size < FAILURES_MAX; done += BATCH) {
    const numRuns = Math.min(BATCH, options.requests - done);
    const seed = options.seed + done;
    part.cast.renew(done / BATCH);
    await runBatch(part, { seed, numRuns });
    await attempted(part, "a damaged request", () => sendSomeDamaged(service, seed));
    await attempted(part, "the workers", () => work(service, acquirer));
    readLog(part);
    options.onProgress(done + numRuns);
  }
  await jobs.stop();
  await part.cast.settled();
  await attempted(part, "the proof at the end", () => prove(service, acquirer));
  readLog(part);
  const { statuses, waits, failures } = part;
  const waited = waits.told();
  if (waits.areTooMany(options.requests)) failures.set("waits", `too many times ${waited}`);
  return {
    ...{ statuses, routes: targets.map(routeName), untouched: [...untouched] },
    ...{ neverRenewed: part.cast.neverRenewed(), waits: waited },
    failures: [...failures.values()],
  };
}

/** Some of each batch are meant for routes that no request was good for yet. */
function requestsFor(
  targets: readonly Route<AppContext>[],
  untouched: ReadonlySet<string>,
): () => fc.Arbitrary<FuzzRequest> {
  const all = requestsTo(targets);
  const good = goodRequestsTo(targets);
  return () => {
    const missed = good(new Set([...untouched].filter((route) => !hasReason(route))));
    if (missed === undefined) return all;
    const weight = Math.min(MISSED_PERCENT_MAX, MISSED_PERCENT_EACH * missed.routeCount);
    return fc.oneof(
      { weight: 100 - weight, arbitrary: all },
      { weight, arbitrary: missed.requests },
    );
  };
}

function isTarget({ path }: { readonly path: string }): boolean {
  return !NO_TARGETS.includes(path) && !NO_TARGETS_UNDER.some((under) => path.startsWith(under));
}

async function runBatch(part: Part, batch: { seed: number; numRuns: number }): Promise<void> {
  const requests = part.requests();
  const waiting = [...fc.sample(requests, batch).entries()].values();
  const failed: { index: number; request: FuzzRequest; error: unknown }[] = [];
  const sender = async () => {
    for (const [index, request] of waiting)
      await send(part, request).catch((error: unknown) => failed.push({ index, request, error }));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  const sending: Sending = {
    url: part.service.url,
    ready: (request) => part.cast.ready(request),
    send: (request) => send(part, request),
  };
  for (const { index, request, error } of failed) {
    const kind = kindOf(request, error);
    if (part.failures.has(kind)) continue;
    part.failures.set(kind, kind);
    const one = { seed: batch.seed, requests, index, request, error };
    part.failures.set(kind, await describeFailure(one, sending));
  }
}

async function sendSomeDamaged({ url, ctx, world }: TestService, seed: number): Promise<void> {
  const { token } = await mintToken(ctx, await world.merchant(), SCOPES);
  const property = fc.asyncProperty(damages, (damage) => sendDamaged(url, token, damage));
  await fc.assert(property, { seed, numRuns: DAMAGED_PER_BATCH });
}

async function send(part: Part, request: FuzzRequest): Promise<void> {
  const { cast, service, statuses, waits, untouched } = part;
  const sent = await cast.ready(request);
  const answer = await waits.send(sent, ({ status }) =>
    statuses.set(status, (statuses.get(status) ?? 0) + 1),
  );
  const isLost = leadsToSignIn(answer.headers.get("location") ?? "");
  const isGood = answer.status < 400 && !isLost;
  if (isGood && request.route.startsWith(`${sent.method} `)) untouched.delete(request.route);
  cast.learn(request, sent, answer);
  judgeAnswer(service.ctx.config, sent, answer);
}

async function attempted(part: Part, what: string, doing: () => Promise<void>): Promise<void> {
  await doing().catch((error: unknown) => {
    part.failures.set(what, `${what}: ${messageOf(error)}`);
  });
}

/** The lines are let go afterwards: a long run writes hundreds of megabytes. */
function readLog({ service, acquirer, failures }: Part): void {
  const lines = (service.logged as string[]).splice(0);
  const expected = [...EXPECTED_ALARMS, ...(acquirer === undefined ? [] : ACQUIRER_ALARMS)];
  for (const line of badLines(lines, expected))
    failures.set(/"msg":"([^"]*)"/.exec(line)?.[1] ?? line, `in the log: ${line.trim()}`);
}
