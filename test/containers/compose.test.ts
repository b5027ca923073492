/**
 * The guarantee: the image builds, and what compose.yaml runs of it works as a whole: every guide,
 * pictures, a payment through HAProxy, and what the worker makes of it. It runs locked, as a user
 * without rights, and stops in order. Everything is made by the steps of these files and of
 * docs/operations.md, without a container engine (Decision 0128).
 */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { GUIDES } from "../../src/site/guides.ts";
import { NOTHING_COMPILED, REPORT_COMPILER_USE } from "../../testkit/compiler-use.ts";
import { type Stage, setStage } from "../../testkit/containers/stage.ts";
import { blackPng, pictureForm, svg } from "../../testkit/pictures.ts";
import { until } from "../../testkit/until.ts";
import { type Caller, ORIGIN, openCaller } from "./caller.ts";

const OURS = ["web1", "web2", "worker"];
const OWNER = { email: "owner@example.com", password: "Kept-In-A-Vault-2026" };
const CARD = { number: "4111111111111111", expiry: "12/39", cvv: "123", holder: "A. Mohammed" };
const SHOP = "https://shop.example/paid";
const FORM = "application/x-www-form-urlencoded";
const MEGABYTES_MAX = { app: 170, image: 450 };

const canEnterRoots = spawnSync("unshare", ["--mount", "--net", "--pid", "--fork", "true"]);
const skip = canEnterRoots.status === 0 ? false : "it needs Linux, and root that may mount";

describe("compose.yaml and the image", { skip }, () => {
  let stage: Stage;
  let caller: Caller;
  /** The root of the image, once everything is healthy. */
  let asBuilt: string;
  let account: string;
  let token: string;
  before(async () => {
    stage = await setStage();
    asBuilt = listing(stage.image.root);
    caller = openCaller(stage);
  });
  after(async () => {
    await caller?.close();
    await stage?.remove();
  });

  test("the image is small, and belongs to root alone", (t) => {
    const { root, cwd } = stage.image;
    const sizes = { app: megabytes(root + cwd), image: megabytes(root) };
    t.diagnostic(`the image has ${sizes.image} MB, ${sizes.app} of them in ${cwd}`);
    for (const name of ["app", "image"] as const) assert(sizes[name] <= MEGABYTES_MAX[name], name);
    const find = (...wish: string[]) => execFileSync("find", [root + cwd, ...wish]).toString();
    assert.equal(find("!", "-uid", "0"), "");
    assert.equal(find("-perm", "/022", "!", "-type", "l"), "");
    assert.equal(find("!", "-perm", "-004", "!", "-type", "l"), "");
    assert.deepEqual(readdirSync(`${root}/usr/local/bin`), ["node"]);
    for (const left of [".env", "secrets", "test", "node_modules/typescript"])
      assert.throws(() => readdirSync(`${root}${cwd}/${left}`), { code: "ENOENT" }, left);
  });

  test("the owner of the first account signs in", async () => {
    const named = ["--first-name", "Anika", "--last-name", "Mohammed", "--type", "BUSINESS"];
    const who = [...["--email", OWNER.email], ...named, ...["--country", "TT", "--password-stdin"]];
    const why = ["--by", "D. Joseph", "--why", "first account"];
    const opened = await stage.composed
      .container("web1")
      .run(["node", "src/start.mjs", "operator", "open-account", ...who, ...why], OWNER.password);
    account = /Account (\d{10}) is open/.exec(opened)?.[1] ?? "";
    const scopes = "svc-user-all svc-transactions-all";
    const signIn = { method: "POST", json: { ...OWNER, scopes } } as const;
    const { status, body, text } = await caller.call("/auth/tokens", signIn);
    assert.equal(status, 200, text);
    token = body.access_token;
  });

  test("a sandbox order is paid, and the worker tells of it", async () => {
    const id = await payOrder(caller, account);
    const events = async () => {
      const { body } = await caller.call("/events?environment=sandbox", { token });
      return body.data.filter((event: { data: object }) => JSON.stringify(event).includes(id));
    };
    await until(async () => (await events()).length > 0, "the payment is in the feed");
    const { body } = await caller.call(`/transactions/${id}`, { token });
    assert.equal(body.data.total, "100.00");
  });

  test("pictures of both kinds become thumbnails", async () => {
    const png = pictureForm(blackPng({ width: 40, height: 30 }));
    const made = await caller.call("/user/picture", { method: "POST", token, ...png });
    assert.equal(made.status, 201, made.text);
    const drawn = pictureForm(svg('<rect width="99" height="99"/>'), "PATCH");
    const changed = await caller.call("/user/picture", { method: "POST", token, ...drawn });
    assert.equal(changed.status, 200, changed.text);
  });

  test("every guide and the documents are there", async () => {
    const documents = ["/docs/try", "/docs/reference", "/openapi.json", "/collections/"];
    const pages = ["/", "/docs", "/verify", "/sign-in"];
    for (const path of [...pages, ...documents, ...GUIDES.map(({ path }) => path)])
      assert.equal((await caller.call(path)).status, 200, path);
  });

  test("nothing is compiled at a start", async () => {
    const command = `node '${REPORT_COMPILER_USE}' src/start.mjs operator 2>&1 || true`;
    const said = await stage.composed.container("worker").run(["sh", "-c", command]);
    assert(said.endsWith(NOTHING_COMPILED), said);
  });

  test("every process belongs to a user without rights", () => {
    for (const name of OURS) {
      const { pid } = stage.composed.container(name);
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m);
      assert.match(status, /^NoNewPrivs:\t1$/m);
      for (const kind of ["CapInh", "CapPrm", "CapEff", "CapBnd"])
        assert.match(status, new RegExp(`^${kind}:\\t0+$`, "m"), `${name} ${kind}`);
    }
  });

  test("a health check fails where nothing answers", async () => {
    for (const [name, elsewhere] of [
      ["web1", "PORT=1"],
      ["worker", "METRICS_PORT=1"],
    ] as const) {
      const container = stage.composed.container(name);
      const { healthCheck } = stage.image;
      assert.equal(await container.run(healthCheck), "");
      await assert.rejects(container.run(["env", elsewhere, ...healthCheck]), /ECONNREFUSED/, name);
    }
  });

  test("they stop in order, and have written nowhere", async () => {
    const { composed, image } = stage;
    for (const name of OURS)
      assert.deepEqual(readdirSync(`/proc/${composed.container(name).pid}/root${"/tmp"}`), []);
    for (const name of composed.names.toReversed()) {
      const container = composed.container(name);
      assert.equal(await container.stop(), 0, `${name} said:\n${container.output()}`);
      if (OURS.includes(name)) assert.doesNotMatch(container.output(), /EROFS|EACCES|"level":50/);
    }
    assert.equal(listing(image.root), asBuilt);
  });
});

/** The id of the payment, as the shop is told it. */
async function payOrder(caller: Caller, account: string): Promise<string> {
  const order = {
    ...{ account_number: account, country_code: "TT", currency: "TTD", environment: "sandbox" },
    ...{ fee_structure: "customer_pay", method: "credit_card_co", order_id: "order-1" },
    ...{ origin: "shop", response_url: SHOP, total: "100.00", email: "maya@example.com" },
  };
  const asked = await caller.call("/plugins/payments/request", { method: "POST", json: order });
  assert.equal(asked.status, 200, asked.text);
  const { origin, pathname } = new URL(asked.body.url);
  assert.equal(origin, ORIGIN);
  const { text: page } = await caller.call(pathname);
  const hidden = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  const typed = { form_token: hidden("form_token"), attempts: hidden("attempts"), ...CARD };
  const paid = await caller.call(pathname, {
    method: "POST",
    raw: { type: FORM, body: new URLSearchParams(typed).toString() },
    headers: { origin, "sec-fetch-site": "same-origin" },
  });
  assert(paid.location.startsWith(SHOP), paid.text);
  const result = new URL(paid.location).searchParams;
  assert.equal(result.get("status"), "success");
  return result.get("transaction_id") ?? "";
}

function megabytes(folder: string): number {
  return Number(execFileSync("du", ["-sm", folder]).toString().split("\t")[0]);
}

/** Everything in a root, with size and time of the last change. */
function listing(root: string): string {
  const wish = ["-xdev", "-printf", "%P %s %T@ %C@ %U %m\\n"];
  return execFileSync("find", [root, ...wish], { maxBuffer: 64 * 1024 * 1024 }).toString();
}
