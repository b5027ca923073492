/**
 * Holds an answer against the OpenAPI document: the status must be listed for its operation and the
 * body must fit the schema. Addresses outside the document must get one of the server's own
 * refusals.
 */

import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type AppContext, appRoutes } from "../../src/app.ts";
import { openapiOf } from "../../src/infra/http/documents/openapi.ts";
import type { Route } from "../../src/infra/http/route.ts";

interface Checked {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

interface Operation {
  readonly responses: Record<string, { content: Record<string, { schema: object }> }>;
}

const ALWAYS_POSSIBLE = [400, 404, 405, 413, 415, 421, 431, 500, 503];

// That the schemas are schemas is checked once, in test/contract/openapi.test.ts.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
// ajv-formats is CommonJS; its callable is the default export of its default export.
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/** By their text: most refusals of most routes look the same, and compiling is what takes time. */
const validators = new Map<string, ValidateFunction>();

export function createAnswerChecker(
  ctx: AppContext,
  extraRoutes: readonly Route<AppContext>[],
): (answer: Checked) => void {
  const routes = [...appRoutes(ctx, () => false), ...extraRoutes];
  const document = openapiOf(routes as readonly Route<never>[], ctx.config) as {
    paths: Record<string, Record<string, Operation>>;
    components: object;
  };
  return (answer) => {
    assertCommon(answer);
    const operation = findOperation(document.paths, answer);
    if (operation === undefined) {
      if (answer.method === "OPTIONS") return;
      const said = `${answer.method} ${answer.path} answered ${answer.status}`;
      assert(ALWAYS_POSSIBLE.includes(answer.status), `${said}, which no route documents`);
      return;
    }
    const response = operation.responses[answer.status];
    const what = `${answer.method} ${answer.path} → ${answer.status}`;
    assert(response !== undefined, `${what} is not a documented status`);
    const given = answer.headers.get("content-type") ?? "";
    const types = Object.entries(response.content);
    const [type, content] = types.find(([name]) => given.startsWith(name)) ?? [];
    assert(type !== undefined, `${what} is ${given}, which is not documented`);
    if (type !== "application/json" || content === undefined || answer.method === "HEAD") return;
    const validate = validatorOf({ ...content.schema, components: document.components });
    assert(validate(answer.body), `${what}: ${ajv.errorsText(validate.errors)}\n${answer.text}`);
    if (answer.status >= 400) assertErrorBody(answer);
  };
}

/** An error says one sentence, and only sign-in and payment requests say more. */
function assertErrorBody(answer: Checked): void {
  const names = Object.keys(answer.body as object);
  const isPayment = answer.path.startsWith("/plugins/payments/request");
  const more = isPayment ? ["url", "transaction_id"] : ["error", "error_description"];
  const allowed = ["message", ...more];
  assert(
    names.every((name) => allowed.includes(name)),
    `an error body has ${names.join(", ")}`,
  );
}

function assertCommon(answer: Checked): void {
  const { headers } = answer;
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(headers.get("x-svc-version"), "2.0.5");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("server"), null);
}

function findOperation(
  paths: Record<string, Record<string, Operation>>,
  { method, path }: Checked,
): Operation | undefined {
  const name = path.split("?")[0]?.replace(/(?<=.)\/$/, "") ?? "";
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  // One slash at the end was taken off; with a second one it is the path of nothing.
  if (name.length > 1 && name.endsWith("/")) return undefined;
  // A path that stands in the document as it is never means one with a parameter in its place.
  const exact = paths[name] ?? paths[`${name}/`];
  if (exact !== undefined) return exact[verb];
  for (const [template, operations] of Object.entries(paths)) {
    const pattern = template.replace(/(?<=.)\/$/, "").replace(/\{\w+\}/g, "[^/]+");
    if (new RegExp(`^${pattern}$`).test(name) && operations[verb]) return operations[verb];
  }
  return undefined;
}

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const made = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, made);
  return made;
}
