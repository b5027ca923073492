/**
 * The log never holds a secret: canaries are sent through every route, in every
 * place a client can put something, on good paths and on failing ones, with the log at its most
 * talkative; then every line is searched for them.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { appRoutes } from "../../../src/app.ts";
import { createLog } from "../../../src/infra/log.ts";
import { createNoteTable, createProbes, NOTE } from "../../../testkit/probe-routes.ts";
import { ask, converse } from "../../../testkit/raw-http.ts";
import { pathOf, requestFor } from "../../../testkit/route-requests.ts";
import { startService } from "../../../testkit/service.ts";

const probes = createProbes();
const service = await startService({
  extraRoutes: probes.routes,
  settings: { LOG_LEVEL: "trace", SIGN_IN_FAILURES_MAX: "3" },
});
await createNoteTable(service.ctx.db);
after(() => service.stop());
const shop = await service.world.mainMerchant();
const tokens = await shop.signIn();
const { key, kid } = await shop.makeKey("svc-user-all");

const PASSWORD = "canary-Password-3141";
const CARDS = ["4111111111111111", "4111 1111 1111 1111", "5111-1111-1111-1111", "378282246310005"];
const SECRETS = [
  tokens.access_token,
  tokens.refresh_token,
  key,
  "whsec_MfKQ9r8GKYqrTwjUPD",
  ...CARDS,
];

/** Parts that must not be found: the secret halves, not the public names of the credentials. */
const CANARIES = [
  PASSWORD,
  shop.password,
  tokens.access_token.split(".")[2],
  tokens.refresh_token.replace("svc_rt_", ""),
  key.split("_")[3],
  "MfKQ9r8GKYqrTwjUPD",
  ...CARDS,
] as string[];

/** A credential that is shown there has had its day. */
const ENDING = ["/auth/tokens", "/auth/revoke"];

function expectNoCanary(lines: readonly string[]): void {
  for (const line of lines)
    for (const canary of CANARIES)
      assert(!line.includes(canary), `${canary.slice(0, 8)}… stands in: ${line.slice(0, 300)}`);
}

test("in fields, headers, paths and queries of every route", async () => {
  const all = SECRETS.join(" ");
  const routes = [...appRoutes(service.ctx), ...probes.routes];
  for (const route of routes.filter(({ path }) => path !== "/probe/slow")) {
    const { json, method } = requestFor(route);
    const fields = Object.keys(route.body ?? {});
    const planted = { ...json, password: PASSWORD, data: all, [all]: 1 };
    const bodies = [planted, Object.fromEntries(fields.map((name) => [name, all]))];
    for (const body of method === "GET" ? [undefined] : bodies)
      for (const inPath of [all, key.slice(0, 60)]) {
        const path = pathOf(route).replace("0".repeat(18), encodeURIComponent(inPath));
        const answer = await service.request(`${path}?q=${encodeURIComponent(all)}`, {
          method,
          ...(body === undefined ? {} : { json: body }),
          headers: { "x-note": all, "idempotency-key": `${key} 4111111111111111` },
          // The real credential itself, except where it would be ended.
          ...(ENDING.includes(route.path) ? {} : { token: tokens.access_token }),
        });
        assert(answer.status !== 500 || route.path === "/probe/broken", answer.text);
      }
  }
  expectNoCanary(service.logged);
});

test("in credentials that are wrong, and passwords that are wrong often", async () => {
  for (let i = 0; i < 5; i++) {
    const json = { email: shop.email, password: PASSWORD, scopes: "svc-user-all" };
    assert.equal((await service.request("/auth/tokens", { method: "POST", json })).status, 401);
  }
  const wrong = [{ key: `${key}0` }, { token: `${tokens.access_token}x` }, { key, token: "x" }];
  for (const credentials of wrong) await service.request("/auth/whoami", credentials);
  expectNoCanary(service.logged);
});

test("in requests that cannot even be parsed", async () => {
  const { host } = new URL(service.url);
  await converse(
    service.url,
    `GET /${PASSWORD} HTTP/1.1\r\nHost: ${host}\r\nX-SVC-Key : ${key}\r\n\r\n`,
  );
  await ask(service.url, { target: `/%zz${PASSWORD}`, lines: [`X-SVC-Key: ${key}`] });
  const body = `{"password":"${PASSWORD}"`;
  const lines = ["Content-Type: application/json"];
  await ask(service.url, { method: "POST", target: "/auth/tokens", lines, body });
  expectNoCanary(service.logged);
});

test("in a row that the database refuses, and in a secret that is shown once", async () => {
  const json = { password: `${PASSWORD} 4111111111111111` };
  const broken = await service.request("/probe/broken", { method: "POST", json });
  assert.equal(broken.status, 500);
  const options = { method: "POST", token: tokens.access_token };
  const made = await service.request(`/auth/keys/${kid}/rotate`, options);
  assert.equal(made.status, 201);
  await service.request("/probe/notes", { ...options, json: { ...NOTE, remark: PASSWORD } });
  expectNoCanary(service.logged);
  const secret = made.body.data.key.split("_")[3];
  assert(
    service.logged.every((line) => !line.includes(secret)),
    "the new key is in the log",
  );
});

test("and the lines that were searched are the real ones", () => {
  const log = service.logged.join("");
  for (const word of ["a request was refused", "we are at fault", "answered", shop.accountNumber])
    assert(log.includes(word), word);
});

test("a secret that is logged under its name is redacted, wherever it stands", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", write: (line) => void lines.push(line) });
  const secrets = {
    password: PASSWORD,
    access_token: "canary-access",
    refresh_token: "canary-refresh",
    secret: "canary-secret",
    authorization: "Bearer canary-header",
    "x-svc-key": "canary-key",
  };
  log.info({ body: secrets }, "one deep");
  log.info(secrets, "at the top");
  log.info({ request: { body: secrets } }, "two deep");
  log.info({ err: new Error("outer", { cause: new Error("4111111111111111") }) }, "in a cause");
  for (const line of lines) assert.doesNotMatch(line, /canary|4111111111111111/, line);
});
