/**
 * Headers that every answer carries, those of JSON answers among them, which no browser should
 * render.
 *
 * They are written as one ready text in front of the others: handed to Node one by one, each would
 * be checked and copied anew with every answer, which costs as much as everything else the server
 * does for a small one (Decision 0028).
 */

import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import { KEPT_MS } from "../limit-silence.ts";
import { isOpenToScripts, OPEN_HEADERS } from "./cross-origin.ts";

/** Told in every answer, chosen in none (Decision 0015). */
export const INTERFACE_VERSION = "2.0.5";

const ALWAYS = {
  "x-svc-version": INTERFACE_VERSION,
  "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "permissions-policy":
    "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), usb=(), " +
    "payment=(self)",
};

/** A route that gives its own is believed. */
const UNLESS_GIVEN = {
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

export const COMMON_HEADERS: Readonly<Record<string, string>> = { ...ALWAYS, ...UNLESS_GIVEN };

const OPEN_ALWAYS = { ...ALWAYS, ...OPEN_HEADERS };
const OPEN_UNLESS_GIVEN = { ...UNLESS_GIVEN, "cross-origin-resource-policy": "cross-origin" };

/** The same on paths that scripts of other origins may read (`cross-origin.ts`). */
export const OPEN_COMMON_HEADERS: Readonly<Record<string, string>> = {
  ...OPEN_ALWAYS,
  ...OPEN_UNLESS_GIVEN,
};

const NAMES_UNLESS_GIVEN = Object.keys(UNLESS_GIVEN);
/** `all` stands on nearly every answer. */
const USUAL_LINES = {
  always: linesOf(ALWAYS),
  unlessGiven: UNLESS_GIVEN,
  all: linesOf(COMMON_HEADERS),
};
const OPEN_LINES = {
  always: linesOf(OPEN_ALWAYS),
  unlessGiven: OPEN_UNLESS_GIVEN,
  all: linesOf(OPEN_COMMON_HEADERS),
};

export function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** The lines that go with these headers, whose names are in lower case. */
export function commonLines(
  given: Readonly<Record<string, unknown>> = {},
  lines = USUAL_LINES,
): string {
  for (const name of NAMES_UNLESS_GIVEN)
    if (given[name] !== undefined) return linesBeside(given, lines);
  return lines.all;
}

function linesBeside(
  given: Readonly<Record<string, unknown>>,
  { always, unlessGiven }: typeof USUAL_LINES,
): string {
  const others = Object.entries(unlessGiven).filter(([name]) => given[name] === undefined);
  return always + linesOf(Object.fromEntries(others));
}

/** Node's own: nothing public lets a finished text through, or tells of a limit that is ours. */
interface Storing {
  /** What the answer tells its client of how long a quiet connection is kept; 0: nothing. */
  _keepAliveTimeout: number;
  _storeHeader(statusLine: string, headers?: Record<string, unknown>): void;
}

const NodeResponse = ServerResponse as unknown as new (
  request: IncomingMessage,
) => ServerResponse & Storing;

declare module "node:http" {
  interface ServerResponse {
    /** Finished lines, of values that are ours: nobody checks them. */
    requestLine: string;
    limitLines: string;
  }
}

const closing = new WeakSet<object>();

/**
 * From now on every answer of this server is the last on its connection, also to a request that
 * began before: a kept connection would bring the next one here.
 */
export function closeAfterAnswers(server: Server): void {
  closing.add(server);
}

/** Node tells a socket whose it is. */
interface Served {
  readonly server?: object;
}

class WithCommonHeaders extends NodeResponse {
  override requestLine = "";
  override limitLines = "";

  override _storeHeader(statusLine: string, headers?: Record<string, unknown>): void {
    const { server } = this.req.socket as Served;
    if (server !== undefined && closing.has(server)) this.shouldKeepAlive = false;
    this._keepAliveTimeout = KEPT_MS;
    const ready = isOpenToScripts(this.req.url) ? OPEN_LINES : USUAL_LINES;
    const lines = commonLines(headers, ready) + this.requestLine + this.limitLines;
    super._storeHeader(statusLine + lines, headers);
  }
}

/** For `http.createServer`. */
export const ResponseWithCommonHeaders = WithCommonHeaders as unknown as typeof ServerResponse;
