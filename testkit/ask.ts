/**
 * One request on a connection of its own, and when it began and ended: for tests about processes,
 * where a shared connection would always lead to the same one. Each answer is held against the
 * OpenAPI document.
 */

import http from "node:http";
import { DEMO_PASSWORD } from "../src/demo-world.ts";
import { readConfig } from "../src/infra/config.ts";
import { type CheckAnswer, createAnswerChecker, isJsonType } from "./answer-checker.ts";

export interface AskOptions {
  readonly method?: string;
  readonly json?: unknown;
  /** A body of any other kind. */
  readonly raw?: { readonly type: string; readonly body: string | Uint8Array };
  readonly token?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** When the last byte of the body may go: until then the request is under way, surely. */
  readonly lastByteAfter?: Promise<unknown>;
  /** A kept connection, for tests about those. */
  readonly agent?: http.Agent;
}

export interface AskedAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined when it is something else. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
  readonly beganAt: number;
}

const ANSWER_MS_MAX = 30_000;

/** The connection was refused, broke or said nothing; any other error is about an answer. */
export class NoAnswer extends Error {
  readonly code: string | undefined;
  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

export function ask(url: string, asked: AskOptions = {}): Promise<AskedAnswer> {
  const json = { type: "application/json", body: JSON.stringify(asked.json) };
  const sent = asked.raw ?? (asked.json === undefined ? undefined : json);
  const headers = {
    ...(sent === undefined ? {} : { "content-type": sent.type }),
    ...(asked.token === undefined ? {} : { authorization: `Bearer ${asked.token}` }),
    ...(asked.key === undefined ? {} : { "x-svc-key": asked.key }),
    ...asked.headers,
  };
  const { method = "GET", agent = false } = asked;
  const beganAt = performance.now();
  return new Promise((resolve, reject) => {
    const broken = (cause: Error) => reject(new NoAnswer(cause));
    const request = http.request(url, { method, headers, agent }, async (response) => {
      const bytes = await response.toArray().catch(broken);
      if (bytes === undefined) return;
      try {
        const text = Buffer.concat(bytes).toString();
        const isJson = isJsonType(response.headers["content-type"]);
        const status = response.statusCode ?? 0;
        const body = isJson && text !== "" ? JSON.parse(text) : undefined;
        check(url, { method, status, headers: response.headers, text, body });
        resolve({ status, headers: response.headers, text, body, beganAt });
      } catch (error) {
        reject(error);
      }
    });
    request.setTimeout(ANSWER_MS_MAX, () => request.destroy(new Error(`${url} does not answer`)));
    request.once("error", broken);
    if (asked.lastByteAfter === undefined) return void request.end(sent?.body);
    const bytes = Buffer.from(sent?.body ?? "");
    request.setHeader("content-length", bytes.length);
    request.write(bytes.subarray(0, -1));
    asked.lastByteAfter.then(() => request.end(bytes.subarray(-1)), reject);
  });
}

let checker: CheckAnswer | undefined;

/** By the document of a service whose settings are all left alone. */
function check(
  url: string,
  answer: Omit<AskedAnswer, "beganAt"> & { readonly method: string },
): void {
  checker ??= createAnswerChecker({ config: readConfig({}) });
  const { pathname, search } = new URL(url);
  if (pathname === "/metrics") return; // whether it is there is a matter of the settings
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
  checker({ ...answer, headers, path: pathname + search });
}

/** A sign-in to one of the accounts of the demo world. */
export function demoSignIn(email = "merchant@example.com", scopes = "svc-user-all"): AskOptions {
  return { method: "POST", json: { email, password: DEMO_PASSWORD, scopes } };
}
