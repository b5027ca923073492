/**
 * Holds an answer against the OpenAPI document: its status must be listed for the operation, its
 * headers and every field of its body documented, and an error must say one of the sentences that
 * the document quotes. Addresses outside the document must get one of the server's own refusals.
 * Every error, wherever it comes from, carries a code of the catalogue and the page about it.
 */

import assert from "node:assert/strict";
import { appRoutes } from "../src/app.ts";
import type { Config } from "../src/infra/config.ts";
import type { Route } from "../src/infra/http/route.ts";
import { COMMON_HEADERS } from "../src/infra/http/serve/response-headers.ts";
import { CATALOGUE, type ErrorCode } from "../src/kit/error-catalogue/catalogue.ts";
import { openapiOf } from "../src/site/openapi/openapi.ts";
import { createJudge, type Schema } from "./closed-schema.ts";
import { resolver } from "./openapi-document.ts";

export interface Checked {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export type CheckAnswer = (answer: Checked) => void;

interface Example {
  readonly value: { readonly message?: string };
}
interface Content {
  readonly schema: Schema;
  readonly examples?: Record<string, Example>;
}
interface Response {
  readonly headers: Record<string, unknown>;
  readonly content: Record<string, Content>;
}
interface Operation {
  readonly responses: Record<string, Response>;
}
type Paths = Record<string, Record<string, Operation>>;

const ALWAYS_POSSIBLE = [400, 404, 405, 413, 415, 421, 431, 500, 503];
/** What only a page has, for the browser that shows it: no client reads these. */
const PAGE_HEADERS = new Set([
  "content-language",
  "vary",
  "cross-origin-opener-policy",
  "integrity-policy",
  "origin-agent-cluster",
  "reporting-endpoints",
  "x-frame-options",
]);
/** What HTTP itself writes, and what every answer has without anybody asking. */
const PLAIN_HEADERS = new Set([
  ...Object.keys(COMMON_HEADERS),
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

export function createAnswerChecker(
  ctx: { readonly config: Config },
  extraRoutes: readonly Route<never>[] = [],
): CheckAnswer {
  // Made with the first answer: it takes a moment, and some services are never asked.
  let made: CheckAnswer | undefined;
  return (answer) => {
    made ??=
      extraRoutes.length === 0 ? usualChecker(ctx) : checkerFor(documentOf(ctx, extraRoutes));
    made(answer);
  };
}

/** By the settings of the service: most are alike, and a checker serves any number of them. */
const usualCheckers = new Map<string, CheckAnswer>();
const KEYRINGS = ["peppers", "tokenPeppers", "wrappingKeys"];

function usualChecker(ctx: { readonly config: Config }): CheckAnswer {
  const settings = JSON.stringify(ctx.config, (name, value) =>
    KEYRINGS.includes(name) ? undefined : value,
  );
  const made = usualCheckers.get(settings) ?? checkerFor(documentOf(ctx, []));
  usualCheckers.set(settings, made);
  return made;
}

function documentOf(ctx: { readonly config: Config }, extraRoutes: readonly Route<never>[]) {
  const routes = [...appRoutes(ctx), ...extraRoutes] as readonly Route<never>[];
  return openapiOf(routes, ctx.config) as { paths: Paths };
}

function checkerFor(document: { readonly paths: Paths }): CheckAnswer {
  const resolve = resolver(document);
  const judge = createJudge(document);
  const findOperation = operationFinder(document.paths);
  /** What examples say, by the part of the document that has them. */
  const sentences = new WeakMap<Content, ReadonlySet<string>>();

  return (answer) => {
    const operation = findOperation(answer);
    const what = `${answer.method} ${answer.path} → ${answer.status}`;
    if (answer.status >= 400) assertNamed(answer.status, (name) => answer.headers.get(name), what);
    if (operation === undefined) {
      if (answer.method === "OPTIONS") return;
      assert(ALWAYS_POSSIBLE.includes(answer.status), `${what}, which no route documents`);
      return;
    }
    const listed = operation.responses[answer.status];
    assert(listed !== undefined, `${what} is not a documented status`);
    const response = resolve(listed);
    assertHeaders(answer, response, what);
    // They have no body, so no type either.
    if (answer.status === 204 || answer.status === 304) return;
    const given = answer.headers.get("content-type") ?? "";
    const types = Object.entries(response.content);
    const [type, content] = types.find(([name]) => given.startsWith(name)) ?? [];
    assert(type !== undefined, `${what} is ${given}, which is not documented`);
    // Codes of pages are for people's questions, and listed nowhere.
    const isPage = type === "text/html";
    if (answer.status >= 400 && !isPage) assertCode(answer, response, what);
    if (!type.endsWith("json") || content === undefined || answer.method === "HEAD") return;
    const wrong = judge(content.schema, answer.body);
    assert(wrong === undefined, `${what}: ${wrong}\n${answer.text}`);
    const told = response.content["application/json"] ?? content;
    if (answer.status >= 400) assertSentence(answer, sentencesOf(told), what);
  };

  function sentencesOf(content: Content): ReadonlySet<string> {
    const examples = Object.values(content.examples ?? {});
    const made =
      sentences.get(content) ??
      new Set(examples.map((one) => shapeOf(resolve(one).value.message ?? "")));
    sentences.set(content, made);
    return made;
  }

  function assertSentence({ body }: Checked, known: ReadonlySet<string>, what: string): void {
    const { message } = body as { message: string };
    assert(known.has(shapeOf(message)), `${what} says what no example says: ${message}`);
  }
}

/** The document lists every code that an operation may answer with. */
function assertCode({ headers }: Checked, { content }: Response, what: string): void {
  const examples = content["application/problem+json"]?.examples;
  if (examples === undefined) return;
  const code = (headers.get("x-svc-error") ?? "") as ErrorCode;
  if (CATALOGUE[code].origin === "server") return;
  assert(code in examples, `${what} has the code ${code}, which is not documented there`);
}

/** Which error it is, from the catalogue, with the status that the catalogue has for it. */
export function assertNamed(
  status: number,
  header: (name: string) => string | null | undefined,
  what: string,
): void {
  const code = header("x-svc-error") ?? "";
  assert(Object.hasOwn(CATALOGUE, code), `${what} has no code of the catalogue: ${code}`);
  const entry = CATALOGUE[code as ErrorCode];
  assert.equal(entry.status, status, `${what} has the code ${code}`);
  const links = (header("link") ?? "").split(", ");
  assert(links.includes(`</docs/errors/${code}>; rel="help"`), `${what} links to ${links}`);
}

/** The sentence without what depends on whom it is told: figures, codes, lists and names. */
function shapeOf(message: string): string {
  return message
    .replace(
      /(?<=(?:one of:|at least one of|key|phone number of|digits at) ).*?(?=\.?$| twice)/,
      "…",
    )
    .replace(/^.*(?= is given more than once| must be sent as JSON text)/, "…")
    .replace(/^The .*(?= must not contain a NUL character)/, "…")
    .replace(/has .* twice/, "has … twice")
    .replace(/(?<=^The outcome )\w+ (can|cannot) be simulated.*/, "$1 be simulated …")
    .replace(/(?<= )-(?=\d)/g, "")
    .replace(/\d[\d,.]*\d|\d/g, "#")
    .replace(/# to #/g, "#")
    .replace(/\b[A-Z]{3}\b/g, "¤");
}

function assertHeaders({ status, headers }: Checked, response: Response, what: string): void {
  const documented = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
  // A 304 of a page has no type to know it by.
  const isPage = status === 304 || headers.get("content-type")?.startsWith("text/html");
  for (const name of headers.keys())
    assert(
      documented.has(name) || PLAIN_HEADERS.has(name) || (isPage && PAGE_HEADERS.has(name)),
      `${what} has the header ${name}, which is not documented`,
    );
}

export function isJsonType(contentType: unknown): boolean {
  return /^application\/(problem\+)?json\b/.test(String(contentType ?? ""));
}

/** What every answer has, as clients see it. */
export function assertCommon({ headers }: Pick<Checked, "headers">): void {
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(headers.get("x-svc-version"), "2.0.5");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("server"), null);
}

function operationFinder(paths: Paths) {
  const patterns = Object.entries(paths).map(([template, operations]) => {
    const pattern = template.replace(/(?<=.)\/$/, "").replace(/\{\w+\}/g, "[^/]+");
    return { pattern: new RegExp(`^${pattern}$`), operations };
  });
  return ({ method, path }: Checked): Operation | undefined => {
    // Letters may be spelled by their numbers, as the server reads them.
    const spelled = path.split(/[?#]/)[0]?.replace(/(?<=[^/])\/$/, "") ?? "";
    const name = spelled.replace(/%[46][1-9a-f]|%[57][0-9a]/gi, decodeURIComponent);
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    // A single slash at the end was taken off; two, even alone, are the path of nothing.
    if (name.length > 1 && name.endsWith("/")) return undefined;
    // A path that stands in the document as it is never means one with a parameter in its place.
    const exact = paths[name] ?? paths[`${name}/`];
    if (exact !== undefined) return exact[verb];
    const found = patterns.find(
      ({ pattern, operations }) => operations[verb] !== undefined && pattern.test(name),
    );
    return found?.operations[verb];
  };
}
