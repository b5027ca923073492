/**
 * The document is complete: each operation has words and an example of what is sent and of every
 * answer, every field is described, and no example breaks the rules that stand beside it.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readFields } from "../../src/kit/fields/field.ts";
import { createJudge } from "../../testkit/closed-schema.ts";
import {
  type Content,
  operationsOf,
  type Part,
  publishedDocument,
  publishedRoutes,
  resolver,
} from "../../testkit/openapi-document.ts";
import { routeName } from "../../testkit/route-requests.ts";

const document = publishedDocument();
const resolve = resolver(document);
const operations = operationsOf(document);
const judge = createJudge(document);

function assertFits(schema: Part, value: unknown, what: string): void {
  const wrong = judge(schema, value);
  assert(wrong === undefined, `${what}: ${wrong} ${JSON.stringify(value)}`);
}

function examplesOf({ example, examples = {} }: Content): unknown[] {
  const many = Object.values(examples).map((one) => resolve(one).value);
  return example === undefined ? many : [example, ...many];
}

const isText = (type: string) => type !== "application/json" && !type.startsWith("application/x-");

for (const [name, operation] of operations)
  describe(`${name} as documented`, () => {
    test("has a summary and a chapter that the document knows", () => {
      assert(operation.summary);
      for (const tag of operation.tags)
        assert(
          document.tags.some((one) => one.name === tag),
          `${tag} is not described`,
        );
    });

    test("has words and an example for every parameter, within its rules", () => {
      for (const { name: parameter, description, example, schema } of operation.parameters) {
        assert(description, `${parameter} has no description`);
        assert(example !== undefined, `${parameter} has no example`);
        assertFits(schema, example, parameter);
      }
    });

    test("has an example of what is sent, within the rules", () => {
      for (const [type, content] of Object.entries(operation.requestBody?.content ?? {})) {
        if (type === "multipart/form-data") continue; // a file is not shown as text
        const examples = examplesOf(content);
        assert(examples.length > 0, `${type} has no example`);
        for (const example of examples) assertFits(content.schema, example, type);
      }
    });

    test("has an example of every answer, within its schema", () => {
      for (const [status, response] of Object.entries(operation.responses))
        for (const [type, content] of Object.entries(resolve(response).content ?? {})) {
          if (isText(type)) continue;
          const examples = examplesOf(content);
          assert(examples.length > 0, `${status} has no example`);
          for (const example of examples) assertFits(content.schema, example, status);
        }
    });

    test("tells the headers of every answer", () => {
      for (const [status, response] of Object.entries(operation.responses)) {
        const { headers } = resolve(response);
        assert(headers["X-Request-Id"] && headers["X-SVC-Version"], status);
        for (const header of Object.values(headers)) assert(resolve(header).description);
        if (status === "429" || status === "503") assert(headers["Retry-After"], status);
      }
    });
  });

test("what is shown to be sent is what the fields take", () => {
  for (const route of publishedRoutes()) {
    if (route.body === undefined) continue;
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    for (const content of Object.values(operation?.requestBody?.content ?? {}))
      for (const example of examplesOf(content))
        assert.doesNotThrow(
          () => readFields(route.body ?? {}, example as Record<string, unknown>),
          `${routeName(route)} does not take ${JSON.stringify(example)}`,
        );
  }
});

test("every field is described, wherever it is sent or shown", () => {
  const bare: string[] = [];
  const walk = (part: unknown, where: string): void => {
    if (part === null || typeof part !== "object") return;
    const { properties } = part as { properties?: Record<string, Part> };
    for (const [name, field] of Object.entries(properties ?? {}))
      if (!("description" in field) && !("$ref" in field) && !hasReference(field))
        bare.push(`${where}.${name}`);
    for (const [name, one] of Object.entries(part))
      if (name !== "examples" && name !== "example") walk(one, `${where}/${name}`);
  };
  walk(document, "");
  assert.deepEqual(bare, []);
});

/** A reference may stand in a choice with null; what it leads to has its own name and words. */
function hasReference(field: Part): boolean {
  const choices = (field.anyOf ?? []) as Part[];
  return choices.some((one) => "$ref" in one);
}
