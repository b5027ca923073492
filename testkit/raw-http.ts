/**
 * HTTP by hand, for what no client library would send: bytes go out as they are written here, and
 * what comes back is read until the server closes the connection, so an answer is also proof that
 * it was closed. Such answers are no less bound by the contract: `expectRefusal` says how.
 */

import assert from "node:assert/strict";
import net from "node:net";
import { COMMON_HEADERS, OPEN_COMMON_HEADERS } from "../src/infra/http/serve/response-headers.ts";
import { assertNamed } from "./answer-checker.ts";

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Conversation {
  readonly answers: readonly RawAnswer[];
  readonly closedAfterMs: number;
  /** The client's end of the connection, to find the server's end by. */
  readonly port: number | undefined;
}

export interface RawOptions {
  /** Called with the open socket after the first bytes, to send more or less. */
  readonly whenOpen?: (socket: net.Socket) => void;
  readonly waitMs?: number;
  /** Keeps its own side open when the server closes, as a stubborn client does. */
  readonly neverEnds?: boolean;
}

/** Sends bytes and reads until the server has closed the connection. */
export function converse(
  url: string,
  bytes: string | Buffer,
  options: RawOptions = {},
): Promise<Conversation> {
  const { hostname, port } = new URL(url);
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<Conversation>();
  const socket = net.connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: options.neverEnds === true,
  });
  const chunks: Buffer[] = [];
  const received = () => Buffer.concat(chunks).toString("latin1");
  const timer = setTimeout(() => {
    socket.destroy();
    reject(new Error(`the server did not close; it said: ${JSON.stringify(received())}`));
  }, options.waitMs ?? 5_000);
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {}); // a reset is a close
  let clientPort: number | undefined;
  socket.on("connect", () => {
    clientPort = socket.localPort;
  });
  socket.on(options.neverEnds ? "end" : "close", () => {
    clearTimeout(timer);
    const closedAfterMs = performance.now() - startedAt;
    resolve({ answers: parseAnswers(received()), closedAfterMs, port: clientPort });
  });
  socket.write(bytes);
  options.whenOpen?.(socket);
  return promise;
}

export interface RawRequest {
  readonly method?: string;
  /** The request target exactly as it is to be sent. */
  readonly target?: string;
  /** Whole header lines, after Host and Connection: close. */
  readonly lines?: readonly string[];
  readonly body?: string | Buffer;
}

/** One well-formed request around a part that may not be; the one answer to it. */
export async function ask(url: string, request: RawRequest): Promise<RawAnswer> {
  const { answers } = await converse(url, rawRequest(url, request));
  assert.equal(answers.length, 1, `one request got ${answers.length} answers`);
  return answers[0] as RawAnswer;
}

export function rawRequest(url: string, request: RawRequest): Buffer {
  const { method = "GET", target = "/", lines = [], body } = request;
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    "Connection: close",
    ...length,
    ...lines,
  ];
  const headBytes = Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
  return Buffer.concat([headBytes, Buffer.from(body ?? "")]);
}

/** A refusal has one of these statuses, our headers, and one sentence in JSON; nothing else. */
export function expectRefusal(answer: RawAnswer | undefined, ...statuses: number[]): void {
  assert(answer !== undefined, "the connection was closed without a word");
  assert(statuses.includes(answer.status), `${answer.status} ${answer.body}`);
  // Which paths are open is for `test/api/http/cross-origin.test.ts` to prove.
  const isOpen = answer.headers.has("access-control-allow-origin");
  for (const [name, value] of Object.entries(isOpen ? OPEN_COMMON_HEADERS : COMMON_HEADERS))
    assert.equal(answer.headers.get(name), value, `${name} of a ${answer.status}`);
  assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(answer.headers.get("server"), undefined);
  assertNamed(answer.status, (name) => answer.headers.get(name), `a ${answer.status}`);
  const body = JSON.parse(answer.body);
  assert.deepEqual(Object.keys(body), ["message"]);
  assert.equal(typeof body.message, "string");
}

function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    assert(end !== -1, `half an answer: ${JSON.stringify(rest)}`);
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = new Map(lines.map(splitHeader));
    const length = Number(headers.get("content-length") ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    answers.push({ status: Number(first.split(" ")[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
