/** The document passes Redocly's recommended rules without an error or a warning. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { publishedDocument } from "../../testkit/openapi-document.ts";

/** Rules that are off, each with its reason. */
const OFF = {
  // The interface itself spells `/transactions/`, `/user/` and others so; both are served.
  "no-path-trailing-slash": "off",
  // A sandbox on a laptop is served from localhost, and says so.
  "no-server-example.com": "off",
} as const;

async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"], rules: OFF });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, config, absoluteRef: "/openapi.json" });
  return problems.map(({ severity, ruleId, message, location }) => {
    const { pointer } = (location[0] ?? {}) as { pointer?: string };
    return `${severity} ${ruleId}: ${message} at ${pointer}`;
  });
}

test("the document has nothing that a linter complains of", async () => {
  assert.deepEqual(await problemsOf(publishedDocument()), []);
});

test("the linter does complain of a document that is wrong", async () => {
  const document = structuredClone(publishedDocument()) as unknown as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  Object.assign(document.paths["/auth/tokens"]?.post ?? {}, {
    operationId: "get-user",
    summary: "",
  });
  const problems = await problemsOf(document);
  assert(
    problems.some((one) => one.includes("operation-operationId-unique")),
    problems.join("\n"),
  );
});
