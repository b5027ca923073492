/**
 * Calls of the service by method and path. Untyped on purpose: the tool also talks to services
 * that are older or newer than its own types, and prints what they answer.
 */

import { createWindward, type WindwardOptions } from "../windward.ts";
import { refusalOf } from "../windward-error.ts";
import { notFromUs, ToolError } from "./tool-error.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a service answers, of whatever version
export type Json = any;

export interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Api {
  /** Answers with the body of a success; a refusal is thrown as a `WindwardError`. */
  call(method: "GET" | "POST" | "DELETE", path: string, request?: Request): Promise<Json>;
  /** The same as the text that was sent, byte for byte. */
  text(path: string, request?: Request): Promise<string>;
}

/** A 200 of some other web server. */
function notJson(error: unknown): never {
  if (!(error instanceof SyntaxError)) throw error;
  throw new ToolError(
    "What answers there is not Windward: it sent no JSON.",
    "Check the address (--url or WINDWARD_URL).",
  );
}

/** Of what is read: one record or several. Commands rely on it, and on who they are. */
function checkShape(path: string, said: unknown): void {
  // It has a message only.
  if (path === "/livez" && isObject(said)) return;
  const { data, meta } = (isObject(said) ? said : {}) as { data?: Json; meta?: Json };
  if (!isObject(data) && !Array.isArray(data)) throw notFromUs("Windward's JSON");
  if (path === "/events" && !(Number.isSafeInteger(meta?.last_sequence) && areEvents(data)))
    throw notFromUs("a page of events");
  if (path !== "/auth/whoami") return;
  const { account_number, environments, scopes } = data as Json;
  if (typeof account_number === "string" && areTexts(environments) && areTexts(scopes)) return;
  throw notFromUs("an account of Windward");
}

function areEvents(rows: unknown): boolean {
  return (
    Array.isArray(rows) &&
    rows.every((each) => isObject(each) && "meta" in each && isObject(each.meta))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

export function createApi(options: WindwardOptions): Api {
  // No answer that the tool asks for is long.
  const { client } = createWindward({ ...options, readsWhole: true });
  const send = client.request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

  async function answer(method: string, path: string, request: Request, init: object) {
    const { path: inPath = {}, query = {}, ...rest } = request;
    const params = { path: inPath, query };
    const { data, error, response } = await send(method.toLowerCase(), path, {
      params,
      ...rest,
      ...init,
    }).catch(notJson);
    if (!response.ok) throw refusalOf(response, error);
    return data;
  }
  return {
    async call(method, path, request = {}) {
      const said = await answer(method, path, request, {});
      if (method === "GET") checkShape(path, said);
      return said;
    },
    text: async (path, request = {}) =>
      String((await answer("get", path, request, { parseAs: "text" })) ?? ""),
  };
}
