/**
 * The OpenAPI document says what the service does: it is valid, it is complete, and its words about
 * every field are the ones that the field is judged by.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { appRoutes } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { FieldRefused } from "../../src/kit/errors.ts";
import type { Field } from "../../src/kit/fields/field.ts";
import { SCOPES } from "../../src/kit/scopes.ts";
import { openapiOf } from "../../src/site/openapi/openapi.ts";
import { createProbes } from "../../testkit/probe-routes.ts";
import { fuzzRuns } from "../../testkit/proof-counts.ts";
import { routeName } from "../../testkit/route-requests.ts";
import { badValues, goodValues, takesNothing } from "../../testkit/schema-values.ts";
import { startService } from "../../testkit/service.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: Record<string, string[]>[];
  readonly parameters: { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  readonly responses: Record<
    string,
    { description: string; content?: Record<string, { schema: object }> }
  >;
}
interface Document {
  readonly openapi: string;
  readonly info: { version: string };
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: object;
}

const service = await startService();
after(() => service.stop());
const document = (await service.request("/openapi.json")).body as Document;
const routes = appRoutes(service.ctx).filter((route) => !route.isHidden);
const resolve = <T>(part: T): T => {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return part;
  const steps = $ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
const operationOf = (route: Route<never>) =>
  document.paths[route.path]?.[route.method.toLowerCase()] as Operation;

describe("the document", () => {
  test("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate({ ...document });
    assert(valid, JSON.stringify(errors, null, 2));
    assert.match(document.openapi, /^3\.1\./);
  });

  test("has every route, each once, and nothing else", () => {
    const written = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    assert.deepEqual(written.sort(), routes.map(routeName).sort());
    const ids = operations.map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length, "two operations have one id");
  });

  test("names the version and the address of this service", () => {
    assert.equal(document.info.version, "2.0.5");
    const { publicUrl } = service.ctx.config.http;
    assert.deepEqual(document.servers, [{ url: publicUrl, description: "This service." }]);
  });

  test("has no reference that leads nowhere", () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, reference = ""] of references) {
      const steps = reference.replace(/^#\//, "").split("/");
      const found = steps.reduce<unknown>(
        (at, step) => (at as Record<string, unknown> | undefined)?.[step],
        document,
      );
      assert(found !== undefined, reference);
    }
  });

  test("documents the routes of tests as well, so that those hold it to its word", async () => {
    const all = [...routes, ...createProbes().routes] as readonly Route<never>[];
    const { valid, errors } = await new Validator().validate(openapiOf(all, service.ctx.config));
    assert(valid, JSON.stringify(errors, null, 2));
  });
});

const ajv = new Ajv2020({ strict: false });
// ajv-formats is CommonJS; its callable is the default export of its default export.
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** Most answers share a few schemas, and each compilation reads all components of the document. */
function compile(schema: object): ReturnType<typeof ajv.compile> {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? ajv.compile({ ...schema, components: document.components });
  compiled.set(text, known);
  return known;
}

/** Fields that take anything, because what is not valid is ignored (Decision 0064). */
const IGNORING = new Set(["POST /plugins/payments/request phone"]);

for (const route of routes as readonly Route<never>[])
  describe(`${routeName(route)} as documented`, () => {
    const operation = operationOf(route);

    test("has an answer for success, every schema of which compiles", () => {
      const statuses = Object.keys(operation.responses).map(Number);
      assert(statuses.some((status) => status >= 200 && status < 300));
      for (const response of Object.values(operation.responses)) {
        const { description, content } = resolve(response);
        assert.notEqual(description, "");
        for (const { schema } of Object.values(content ?? {})) compile(schema);
      }
    });

    test("has an error body with a message, required, for every refusal", () => {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const schema = resolve(response).content?.["application/json"]?.schema ?? {};
        assert.equal(compile(schema)({}), false, `a ${status} may be empty`);
      }
    });

    test("says who may call it", () => {
      const { access } = route;
      if (access === "public") return assert.deepEqual(operation.security, []);
      const kinds = access.credentials === "bearer" ? ["bearer"] : ["bearer", "apiKey"];
      // Each scope is an alternative of its own: a list would ask for all of them.
      const scopes = access.anyScope?.map((scope) => [scope]) ?? [[]];
      const expected = kinds.flatMap((kind) => scopes.map((scope) => ({ [kind]: scope })));
      assert.deepEqual(operation.security, expected);
      assert((access.anyScope ?? []).every((scope) => SCOPES.includes(scope)));
      assert(operation.responses[401] !== undefined);
      assert.equal(access.anyScope === undefined || operation.responses[403] !== undefined, true);
    });

    test("declares the parameters of its path, and no others there", () => {
      const inPath = operation.parameters.filter((one) => one.in === "path");
      const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(inPath.map((one) => one.name).sort(), names.sort());
      assert(inPath.every((one) => one.required));
    });

    test("takes JSON and form data alike, or a file", () => {
      const content = operation.requestBody?.content ?? {};
      if (route.upload !== undefined)
        return assert.deepEqual(Object.keys(content), ["multipart/form-data"]);
      if (route.body === undefined) return assert.equal(operation.requestBody, undefined);
      const types = ["application/json", "application/x-www-form-urlencoded"];
      assert.deepEqual(Object.keys(content), types);
      assert.deepEqual(content[types[0] ?? ""]?.schema, content[types[1] ?? ""]?.schema);
    });

    const fields = { ...route.params, ...route.query, ...route.body };
    for (const [name, field] of Object.entries(fields))
      test(`judges ${name} by the words it is documented with`, () =>
        expectAgreement(name, field, IGNORING.has(`${routeName(route)} ${name}`)));
  });

/** `isIgnoring`: a value of another type than the documented one is taken and ignored. */
function expectAgreement(name: string, field: Field<unknown>, isIgnoring: boolean): void {
  const { schema, required, variant } = field;
  // A field of some choices is judged where one of them was made.
  const earlier = variant && { [variant.of]: variant.choices[0] };
  if (variant?.isRequired) assert.throws(() => field.absent(name, earlier), FieldRefused);
  if (required) assert.throws(() => field.absent(name), FieldRefused);
  else assert.doesNotThrow(() => field.absent(name));
  if (schema.default !== undefined) assert.deepEqual(field.absent(name), schema.default);
  if (takesNothing(schema)) {
    assert.throws(() => field.read("x", name), FieldRefused);
    return;
  }
  const good = goodValues(schema);
  assert(good !== undefined, `${name} has neither bounds nor an example`);
  fc.assert(
    fc.property(good, (value) => {
      // It clears the field, and is not read.
      if (field.isClearable && value === null) return;
      assert.doesNotThrow(() => field.read(value, name, earlier), JSON.stringify(value));
    }),
    { numRuns: fuzzRuns({ usual: 50, proof: 200 }) },
  );
  for (const bad of badValues(schema).filter((one) => !isIgnoring || typeof one === "string"))
    assert.throws(
      () => field.read(bad, name, earlier),
      FieldRefused,
      `${name} took ${String(bad)}`,
    );
}
