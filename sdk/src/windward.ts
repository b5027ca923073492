/**
 * The client: every call of the interface, typed by its path, with a credential, an
 * `Idempotency-Key` where the service takes one, and safe retries (Decision 0053).
 *
 * A call answers with the body of its success and throws a `WindwardError` otherwise. Secrets live
 * in closures, so that printing the client or one of its errors shows none.
 */

import createClient, { type Client } from "openapi-fetch";
import { KEYED_OPERATIONS, OPEN_OPERATIONS } from "./api-operations.ts";
import type { paths } from "./api-types.ts";
import type { Call, Method } from "./call.ts";
import { createLists, type Lists } from "./lists.ts";
import { createSend, draftOf, type Fetch } from "./send.ts";
import { serializeBody } from "./serialize-body.ts";
import type { SignIn } from "./sign-in.ts";
import { createTokens } from "./tokens.ts";
import { unlessAborted } from "./wait.ts";
import { refusalOf, WindwardError } from "./windward-error.ts";

interface CommonOptions {
  /** Where the service is, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** How often a call that may be repeated is tried again; 3 if absent, 0 for never. */
  readonly retries?: number;
  /** How long one try may take; 30 if absent. */
  readonly timeoutSeconds?: number;
  /**
   * Whether every answer is read to its end before it is handed on, within the time of a try. Else
   * a success that is no JSON, such as a long CSV, is handed on as it comes.
   */
  readonly readsWhole?: boolean;
  /** Instead of the global one. */
  readonly fetch?: Fetch;
  /** The time in milliseconds, by which tokens end; for tests. */
  readonly now?: () => number;
}

/** An API key, a sign-in, or neither for what anybody may ask. */
export type WindwardOptions = CommonOptions &
  (
    | { readonly apiKey: string; readonly email?: never }
    | (SignIn & { readonly apiKey?: never })
    | { readonly apiKey?: never; readonly email?: never }
  );

export interface Windward extends Lists {
  readonly GET: Call<"get">;
  readonly POST: Call<"post">;
  readonly PATCH: Call<"patch">;
  readonly DELETE: Call<"delete">;
  /** The same calls as openapi-fetch has them, `{ data, error, response }`: for headers. */
  readonly client: Client<paths>;
}

const RETRIES = 3;
const TIMEOUT_SECONDS = 30;

export function createWindward(options: WindwardOptions): Windward {
  const baseUrl = readBaseUrl(options.baseUrl);
  const { fetch, names } = createFetch(options, baseUrl);
  // The service never redirects; followed, one could carry an API key to another host.
  const client = createClient<paths>({
    baseUrl,
    fetch,
    bodySerializer: serializeBody,
    redirect: "manual",
  });
  client.use({
    onRequest({ request, schemaPath, params }) {
      for (const [key, value] of Object.entries(params.path ?? {})) checkInPath(key, value);
      const name = `${request.method} ${schemaPath}`;
      names.set(request, name);
      if (!KEYED_OPERATIONS.has(name) || request.headers.has("idempotency-key")) return;
      request.headers.set("idempotency-key", crypto.randomUUID());
    },
  });
  const GET = callerOf(client, "get");
  return {
    GET,
    POST: callerOf(client, "post"),
    PATCH: callerOf(client, "patch"),
    DELETE: callerOf(client, "delete"),
    client,
    ...createLists(GET),
  };
}

/** What stands between openapi-fetch and the network. */
function createFetch(
  options: WindwardOptions,
  baseUrl: string,
): { fetch: Fetch; names: WeakMap<Request, string> } {
  const { retries = RETRIES, timeoutSeconds = TIMEOUT_SECONDS, now = Date.now } = options;
  const { readsWhole = false } = options;
  const own = options.fetch ?? ((request) => globalThis.fetch(request));
  const send = createSend({ fetch: own, retries, timeoutMs: timeoutSeconds * 1000 });
  const apiKey = options.apiKey === undefined ? undefined : readApiKey(options.apiKey);
  const tokens = isSignIn(options) ? createTokens(options, { baseUrl, send, now }) : undefined;
  const names = new WeakMap<Request, string>();

  async function fetch(request: Request): Promise<Response> {
    const { headers, method, signal } = request;
    const name = names.get(request) ?? "";
    const isKeyed = KEYED_OPERATIONS.has(name) && headers.has("idempotency-key");
    const repeatable = { isReading: method === "GET", isKeyed };
    const draft = { ...(await draftOf(request, repeatable)), isShort: readsWhole };
    const hasOwn = headers.has("authorization") || headers.has("x-svc-key");
    if (hasOwn || OPEN_OPERATIONS.has(name)) return send(draft);
    if (apiKey !== undefined) return send(draft, { "x-svc-key": apiKey });
    if (tokens === undefined) return send(draft);
    const token = await unlessAborted(tokens.current(), signal);
    const response = await send(draft, { authorization: `Bearer ${token}` });
    if (response.status !== 401) return response;
    // Nothing has been done, whatever it was. The token may have ended early, or been revoked.
    const newer = await unlessAborted(tokens.newerThan(token), signal);
    return send(draft, { authorization: `Bearer ${newer}` });
  }
  return { fetch, names };
}

function callerOf<M extends Method>(client: Client<paths>, method: M): Call<M> {
  const request = client.request as unknown as (
    method: string,
    path: string,
    init?: unknown,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  const call = async (path: string, init?: unknown) => {
    const { data, error, response } = await request(method, path, init).catch(hideText);
    if (!response.ok) throw refusalOf(response, error);
    return data;
  };
  return call as Call<M>;
}

/** An address takes these for no part of it: the list would be read instead of the one record. */
function checkInPath(name: string, value: unknown): void {
  if (!["", ".", ".."].includes(String(value ?? ""))) return;
  throw new WindwardError({ message: `The ${name} that goes into the path names nothing.` });
}

/** A parser quotes what it could not read, and that may be anything. */
function hideText(error: unknown): never {
  if (!(error instanceof SyntaxError)) throw error;
  throw new WindwardError({ message: "The answer is not the JSON that it says it is." });
}

function isSignIn(options: WindwardOptions): options is CommonOptions & SignIn {
  return options.email !== undefined;
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.search)
    throw new WindwardError({
      message: "The baseUrl must be an address such as https://api.example.com.",
    });
  return text.replace(/\/+$/, "");
}

/** Checked here, because a header that cannot be sent is quoted in the error about it. */
function readApiKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new WindwardError({ message: "The apiKey has characters that no API key has." });
}
