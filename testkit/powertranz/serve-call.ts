/**
 * One call from its bytes to its answer: what it asks for, which fault it gets, its effect, and how
 * the answer leaves. The effect happens even when the caller has gone.
 */

import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Body, failure } from "./answers.ts";
import { bankWork, type Incoming, type Outcome, type Work, workOf } from "./api.ts";
import { answerControl, type Controlled, type RecordedCall } from "./control-door.ts";
import { maskHeaders } from "./credentials.ts";
import { type Behaviour, behaviourOf, type Page } from "./fault-kinds.ts";
import type { ChosenFault } from "./faults.ts";
import { maskBody } from "./fields.ts";
import { send } from "./send.ts";

const SECONDS = 2;
const NOT_FOUND: Page = { status: 404, body: "" };
const NO_FAULT: Behaviour = { hasEffect: true };
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

export async function serveCall(
  controlled: Controlled,
  request: IncomingMessage,
  response: ServerResponse,
  stopped: AbortSignal,
): Promise<void> {
  const { method = "GET", headers } = request;
  const bytes = await request.toArray().catch(() => undefined);
  if (bytes === undefined) return;
  const text = Buffer.concat(bytes).toString();
  const origin = `http://${headers.host ?? "127.0.0.1"}`;
  const url = new URL(request.url ?? "/", origin);
  const path = url.pathname.toLowerCase();
  if (path.startsWith("/control")) {
    send(response, answerControl(controlled, { method, path, text }), "whole");
    return;
  }
  const [, area = "", below = ""] = /^\/(api|bank)\/(.*)$/.exec(path) ?? [];
  const roots = { root: `${origin}/api/`, bank: `${origin}/bank/` };
  const incoming = { method, path: below, query: url.searchParams, headers, text, roots };
  const work = (area === "bank" ? bankWork : workOf)(controlled.journal, incoming);
  const fault = work === undefined ? undefined : chooseFault(controlled, work);
  const call = recordCall(controlled, { incoming, work, fault, area, path });
  const behaviour = fault === undefined ? NO_FAULT : behaviourOf(fault.kind);
  const seconds = fault?.seconds ?? SECONDS;
  const wait = () => held(controlled, seconds, stopped);
  if (behaviour.waits === "before") await wait();
  const outcome = act(work, behaviour);
  if ("json" in outcome) call.code = codeIn(outcome.json);
  if (behaviour.waits === "after") await wait();
  const page = behaviour.page?.(seconds) ?? render(outcome, behaviour);
  call.status = page.status;
  send(response, dress(page, url.port), behaviour.manner ?? "whole");
}

/** Until its time is over, or it is released. */
async function held({ holds }: Controlled, seconds: number, stopped: AbortSignal): Promise<void> {
  const hold = new AbortController();
  holds.add(hold);
  const signal = AbortSignal.any([stopped, hold.signal]);
  try {
    await sleep(seconds * 1000, undefined, { signal });
  } catch (error) {
    if (stopped.aborted) throw error;
  } finally {
    holds.delete(hold);
  }
}

function chooseFault({ faults, journal }: Controlled, work: Work): ChosenFault | undefined {
  return faults.choose({
    endpoint: work.endpoint,
    transactionIdentifier: work.about.identifier?.toLowerCase(),
    amountMinor: journal.switches.centsDecide ? work.amountMinor : undefined,
  });
}

function recordCall(
  { journal, calls }: Controlled,
  made: {
    incoming: Incoming;
    work: Work | undefined;
    fault: ChosenFault | undefined;
    area: string;
    path: string;
  },
): RecordedCall {
  const { incoming, work, fault, area, path } = made;
  const call: RecordedCall = {
    at: new Date(journal.now()).toISOString(),
    method: incoming.method,
    path,
    endpoint: work?.endpoint ?? (area === "" ? "elsewhere" : "unknown"),
    transactionIdentifier: work?.about.identifier,
    headers: maskHeaders(journal, incoming.headers),
    body: maskBody(incoming.text),
    fault: fault?.kind,
  };
  calls.push(call);
  return call;
}

/** Without the effect, what a failing gateway would still say about the request. */
function act(work: Work | undefined, behaviour: Behaviour): Outcome {
  if (work === undefined) return NOT_FOUND;
  return behaviour.hasEffect ? work.run() : { json: failure(work.about, "96") };
}

function render(outcome: Outcome, { alter, prefix = "" }: Behaviour): Page {
  if (!("json" in outcome)) return { ...outcome, body: prefix + outcome.body };
  const { json } = outcome;
  const body = alter !== undefined && isBody(json) ? alter(json) : json;
  return { status: 200, headers: JSON_TYPE, body: prefix + JSON.stringify(body) };
}

/** Every answer comes through the same front; a redirect leads to another name of this host. */
function dress(page: Page, port: string): Page {
  const { location } = page.headers ?? {};
  return {
    ...page,
    headers: {
      server: "cloudflare",
      "cf-ray": `${randomBytes(8).toString("hex")}-MIA`,
      ...page.headers,
      ...(location === undefined ? {} : { location: `http://localhost:${port}/${location}` }),
    },
  };
}

function codeIn(json: unknown): string {
  return isBody(json) ? String(json.IsoResponseCode ?? "") : "";
}

function isBody(json: unknown): json is Body {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
