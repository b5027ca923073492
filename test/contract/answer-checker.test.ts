/**
 * Nothing undocumented passes: what judges the answers of every test refuses a status, a header, a
 * field or a sentence that the document does not have, and takes those that it has.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { readConfig } from "../../src/infra/config.ts";
import { helpHeaders } from "../../src/infra/http/serve/render-error.ts";
import type { ErrorCode } from "../../src/kit/error-catalogue/catalogue.ts";
import { type Checked, createAnswerChecker } from "../../testkit/answer-checker.ts";
import { watchAnswers } from "../../testkit/watch-answers.ts";

const check = createAnswerChecker({ config: readConfig({}) });

interface Example {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

const GOOD: Example = {
  method: "DELETE",
  path: "/auth/tokens",
  status: 200,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: { message: "OK" },
};

function answer(changes: Partial<Example> = {}): Checked {
  const { headers, body, ...rest } = { ...GOOD, ...changes };
  return { ...rest, headers: new Headers(headers), body, text: JSON.stringify(body) };
}

const json = GOOD.headers;
const named = (code: ErrorCode) => ({ ...json, ...helpHeaders(code) });

describe("an answer", () => {
  test("as documented is taken", () => check(answer()));

  test("that is a refusal in documented words is taken, whatever its figures", () => {
    const message = "Token revocation is not supported for API keys. Use DELETE /auth/keys/{kid}.";
    const headers = named("key_on_token_revocation");
    check(answer({ status: 400, headers, body: { message } }));
    const fees = { method: "GET", path: "/transactions/fees", status: 400 };
    const total = "The amount must be from 2.00 to 3000.00 USD.";
    check(answer({ ...fees, headers: named("field_out_of_range"), body: { message: total } }));
  });

  test("to a path of two slashes may only be that there is nothing", () => {
    const nothing = { headers: named("not_found"), body: { message: "Not Found" } };
    check(answer({ ...nothing, method: "GET", path: "//", status: 404 }));
  });

  const refused: [string, Partial<Example>, RegExp][] = [
    ["a status", { status: 201 }, /not a documented status/],
    ["a header", { headers: { ...json, "x-debug": "1" } }, /header x-debug/],
    ["a field", { body: { message: "OK", debug: 1 } }, /additional properties/],
    ["another word", { body: { message: "Done" } }, /message/],
    ["no body", { body: undefined }, /object/],
    ["a type", { headers: { "content-type": "text/html" } }, /which is not documented/],
    [
      "a sentence",
      { status: 400, headers: named("malformed_request"), body: { message: "Oh no." } },
      /no example says/,
    ],
    [
      "a field beside the sentence",
      {
        status: 401,
        headers: named("credential_missing"),
        body: { message: "Unauthorized", a: 1 },
      },
      /add/,
    ],
    ["no code", { status: 401, body: { message: "Unauthorized" } }, /no code of the catalogue/],
    [
      "a code of another status",
      { status: 401, headers: named("forbidden"), body: { message: "Unauthorized" } },
      /has the code forbidden/,
    ],
    [
      "a code of another route",
      { status: 401, headers: named("invalid_grant"), body: { message: "Unauthorized" } },
      /code invalid_grant, which is not documented there/,
    ],
    [
      "a code without its link",
      {
        status: 401,
        headers: { ...json, "x-svc-error": "credential_missing" },
        body: { message: "Unauthorized" },
      },
      /links to/,
    ],
    ["a path", { path: "/auth/nothing" }, /no route documents/],
  ];
  for (const [what, changes, why] of refused)
    test(`with ${what} that is not documented is refused`, () => {
      assert.throws(() => check(answer(changes)), why);
    });
});

describe("a service that is watched", () => {
  test("tells of what left it, though nobody looked at the answer", async () => {
    const bodies = new Map<string | undefined, object>([
      ["/auth/tokens", { message: "OK" }],
      ["/auth/whoami", { message: "OK", data: { secret: "x" } }],
    ]);
    const server = http.createServer(({ url }, response) => {
      const text = JSON.stringify(bodies.get(url));
      response.writeHead(200, { ...json, "content-length": text.length }).end(text);
    });
    const watched = watchAnswers(server, check);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await fetch(`${base}/auth/tokens`, { method: "DELETE" });
    watched.assertFine();
    await fetch(`${base}/auth/whoami`);
    assert.throws(() => watched.assertFine(), /additional properties/);
    server.closeAllConnections();
    server.close();
  });
});
