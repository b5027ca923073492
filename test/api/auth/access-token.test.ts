/**
 * Only an unchanged token of this service is accepted: every forgery gets the same 401, even one
 * signed with our own key.
 */

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose";
import { exactRequest, UNAUTHORIZED, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";
import { encode, type Forgery, forge, strangeKeyPair } from "./forge.ts";

let service: TestService;
let shop: Person;
let other: Person;
let token: string;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
  other = await service.world.merchant();
  token = (await shop.signIn()).access_token;
});
after(() => service.stop());

async function expectRefused(forged: string) {
  const answer = await whoami(service, { token: forged });
  assert.equal(answer.status, 401);
  assert.equal(answer.text, UNAUTHORIZED);
  const challenge = /^Bearer realm="svc", error="invalid_token", error_description="[\w .]+"$/;
  assert.match(answer.headers.get("www-authenticate") ?? "", challenge);
}

const now = () => decodeJwt(token).iat ?? 0;
const SQL = "' or '1'='1";

describe("a token signed with our own key but not as we sign is refused", () => {
  const cases: [name: string, change: () => Forgery][] = [
    ["without typ", () => ({ header: { typ: undefined } })],
    ["with typ JWT", () => ({ header: { typ: "JWT" } })],
    ["with typ rt+jwt", () => ({ header: { typ: "rt+jwt" } })],
    ["without alg", () => ({ header: { alg: undefined } })],
    ["with alg Ed25519, its other name", () => ({ header: { alg: "Ed25519" } })],
    ["with alg none", () => ({ header: { alg: "none" } })],
    ["without kid", () => ({ header: { kid: undefined } })],
    ["with an unknown kid", () => ({ header: { kid: "0123456789abcdef" } })],
    ["with a path as kid", () => ({ header: { kid: "../../../../dev/null" } })],
    ["with SQL as kid", () => ({ header: { kid: SQL } })],
    ["with a URL as kid", () => ({ header: { kid: "http://127.0.0.1:9/key" } })],
    ["with a number as kid", () => ({ header: { kid: 1 } })],
    ["with jku", () => ({ header: { jku: "http://127.0.0.1:9/jwks.json" } })],
    ["with x5u", () => ({ header: { x5u: "http://127.0.0.1:9/cert" } })],
    ["with x5c", () => ({ header: { x5c: ["AAAA"] } })],
    ["with zip", () => ({ header: { zip: "DEF" } })],
    ["with b64 false", () => ({ header: { b64: false } })],
    ["with b64 false as critical", () => ({ header: { b64: false, crit: ["b64"] } })],
    ["with crit of an unknown name", () => ({ header: { crit: ["windward"], windward: 1 } })],
    ["with an empty crit", () => ({ header: { crit: [] } })],
    ["with a header that is no JSON", () => ({ header: "{" })],
    ["with a header that is an array", () => ({ header: "[]" })],
    ["with alg twice", () => ({ header: twice(decodeProtectedHeader(token), "alg", "none") })],
    ["with another issuer", () => ({ claims: { iss: "https://evil.example" } })],
    ["without issuer", () => ({ claims: { iss: undefined } })],
    ["for another audience", () => ({ claims: { aud: "https://evil.example" } })],
    ["without audience", () => ({ claims: { aud: undefined } })],
    ["without exp", () => ({ claims: { exp: undefined } })],
    ["with exp as text", () => ({ claims: { exp: String(now() + 43200) } })],
    ["with exp of 2^53", () => ({ claims: { exp: 2 ** 53 } })],
    ["with exp of null", () => ({ claims: { exp: null } })],
    ["without iat", () => ({ claims: { iat: undefined } })],
    ["that lives a second too long", () => ({ claims: { exp: now() + 43201 } })],
    ["that lives a second too short", () => ({ claims: { exp: now() + 43199 } })],
    ["from before the epoch", () => ({ claims: { iat: -43200, exp: 0 } })],
    ["that ended 6 s ago", () => ({ claims: { iat: now() - 43206, exp: now() - 6 } })],
    ["made a minute from now", () => ({ claims: { iat: now() + 60, exp: now() + 43260 } })],
    ["not to be used before tomorrow", () => ({ claims: { nbf: now() + 86400 } })],
    ["of another account", () => ({ claims: { sub: other.accountNumber } })],
    ["without account", () => ({ claims: { sub: undefined } })],
    ["without sign-in", () => ({ claims: { gid: undefined } })],
    ["of an unknown sign-in", () => ({ claims: { gid: crypto.randomUUID() } })],
    ["with SQL as sign-in", () => ({ claims: { gid: SQL } })],
    ["with sub twice", () => ({ claims: twice(decodeJwt(token), "sub", other.accountNumber) })],
    ["with exp twice", () => ({ claims: twice(decodeJwt(token), "exp", 1) })],
    ["with claims that are an array", () => ({ claims: "[]" })],
    ["with claims that are no JSON", () => ({ claims: "}" })],
  ];
  for (const [name, change] of cases)
    test(name, async () => expectRefused(await forge(service, token, change())));

  test("the same forged token without a change is accepted", async () => {
    const again = await forge(service, token, {});
    assert.equal((await whoami(service, { token: again })).status, 200);
  });

  test("and more scopes written into a token are not more scopes", async () => {
    const narrow = (await shop.signIn("svc-user-retrieve")).access_token;
    const wide = await forge(service, narrow, { claims: { scope: "svc-user-all" } });
    const { body } = await whoami(service, { token: wide });
    assert.deepEqual(body.data.scopes, ["svc-user-retrieve"]);
  });
});

describe("a token signed with another key is refused", () => {
  test("under our kid", async () => {
    const { privateKey } = await strangeKeyPair();
    await expectRefused(await forge(service, token, { key: privateKey }));
  });

  test("with that key in its header, and nobody asks the address it names", async () => {
    const { privateKey, publicKey } = await strangeKeyPair();
    const jwk = await crypto.subtle.exportKey("jwk", publicKey);
    const asked = mock.method(globalThis, "fetch");
    const send = asked.mock.restore.bind(asked.mock);
    const jku = "http://127.0.0.1:9/jwks.json";
    const forged = await forge(service, token, { header: { jwk, jku }, key: privateKey });
    await expectRefused(forged);
    const addresses = asked.mock.calls.map(({ arguments: [url] }) => String(url));
    send();
    assert.deepEqual(addresses, [`${service.url}/auth/whoami`]);
  });

  for (const alg of ["ES256", "RS256", "PS256"])
    test(`with ${alg}`, async () => {
      const { privateKey } = await generateKeyPair(alg);
      const header = { ...decodeProtectedHeader(token), alg };
      await expectRefused(
        await new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(privateKey),
      );
    });

  test("with HS256 and our public key as the secret, in each of its spellings", async () => {
    const { keys } = (await service.request("/.well-known/jwks.json")).body;
    const { kid } = decodeProtectedHeader(token);
    const jwk = keys.find((one: { kid: string }) => one.kid === kid);
    const secrets = [Buffer.from(jwk.x, "base64url"), Buffer.from(jwk.x), JSON.stringify(jwk)];
    for (const secret of secrets) {
      const header = { ...decodeProtectedHeader(token), alg: "HS256" };
      const forged = new SignJWT(decodeJwt(token)).setProtectedHeader(header);
      await expectRefused(await forged.sign(Buffer.from(secret)));
    }
  });

  for (const alg of ["none", "None", "NONE", "nOnE"])
    test(`with alg ${alg} and no signature, or somebody else's`, async () => {
      const [, claims, signature] = token.split(".");
      const header = encode(JSON.stringify({ ...decodeProtectedHeader(token), alg }));
      await expectRefused(`${header}.${claims}.`);
      await expectRefused(`${header}.${claims}`);
      await expectRefused(`${header}.${claims}.${signature}`);
    });
});

describe("a token that was touched is refused", () => {
  const lastOf = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const cases: [name: string, touch: (whole: string) => string][] = [
    ["without its signature", (whole) => whole.slice(0, whole.lastIndexOf(".") + 1)],
    ["with a fourth segment", (whole) => `${whole}.AAAA`],
    ["with five segments, as if encrypted", (whole) => `${whole}.AAAA.AAAA`],
    ["with padding", (whole) => `${whole}==`],
    ["with a space inside", (whole) => whole.replace(".", ". ")],
    ["with a newline's escape at its end", (whole) => `${whole}%0A`],
    ["cut short by a character", (whole) => whole.slice(0, -1)],
    ["with a character more", (whole) => `${whole}A`],
    ["with base64 letters that are not base64url", (whole) => `${whole.slice(0, -2)}+/`],
    ["in capitals", (whole) => whole.toUpperCase()],
    ["that is only dots", () => ".."],
    ["that is a word", () => "undefined"],
    ["of 7 KB", (whole) => `${whole.split(".")[0]}.${"A".repeat(7000)}.${whole.split(".")[2]}`],
  ];
  for (const [name, touch] of cases) test(name, () => expectRefused(touch(token)));

  test("in the spare bits of its last character, which other libraries overlook", async () => {
    const end = lastOf.indexOf(token.at(-1) ?? "");
    for (const spare of [1, 2, 3]) {
      const malleable = token.slice(0, -1) + lastOf[end + spare];
      assert.deepEqual(bytesOfSignature(malleable), bytesOfSignature(token));
      await expectRefused(malleable);
    }
  });

  test("in any one of its characters", async () => {
    for (let at = 0; at < token.length; at += 37) {
      const changed = token[at] === "A" ? "B" : "A";
      await expectRefused(token.slice(0, at) + changed + token.slice(at + 1));
    }
  });

  test("of 100 KB, before it is even a request", async () => {
    const answer = await whoami(service, { token: "A".repeat(100_000) });
    assert.equal(answer.status, 431);
  });
});

describe("the Authorization header", () => {
  const accepted = ["Bearer", "bearer", "BEARER", "bEaReR"];
  for (const scheme of accepted)
    test(`takes ${scheme}`, async () => {
      const answer = await exactRequest(service, "/auth/whoami", [
        ["authorization", `${scheme} ${token}`],
      ]);
      assert.equal(answer.status, 200);
    });

  const refused: [name: string, lines: () => [string, string][], path?: () => string][] = [
    ["with two spaces", () => [["authorization", `Bearer  ${token}`]]],
    ["with a tab", () => [["authorization", `Bearer\t${token}`]]],
    ["without scheme", () => [["authorization", token]]],
    ["with a scheme only", () => [["authorization", "Bearer"]]],
    ["that is empty", () => [["authorization", ""]]],
    ["of Basic", () => [["authorization", `Basic ${encode("a:b")}`]]],
    ["of Basic with a good token", () => [["authorization", `Basic ${token}`]]],
    ["of Token", () => [["authorization", `Token ${token}`]]],
    ["in quotes", () => [["authorization", `Bearer "${token}"`]]],
    ["with two tokens", () => [["authorization", `Bearer ${token}, Bearer ${token}`]]],
    ["sent twice", () => [1, 2].map(() => ["authorization", `Bearer ${token}`])],
    ["sent as X-SVC-Key", () => [["x-svc-key", token]]],
    ["in the query", () => [], () => `/auth/whoami?access_token=${token}&token=${token}`],
    ["in a cookie", () => [["cookie", `access_token=${token}`]]],
    ["that is missing", () => []],
  ];
  for (const [name, lines, path] of refused)
    test(`${name} answers 401`, async () => {
      const answer = await exactRequest(service, path?.() ?? "/auth/whoami", lines());
      assert.deepEqual(answer, { status: 401, text: UNAUTHORIZED });
    });

  test("and X-SVC-Key together answer 401, whichever of them is good", async () => {
    const { key } = await shop.makeKey();
    assert.equal((await whoami(service, { key })).status, 200);
    const pairs = [
      { token, key },
      { token, key: "nonsense" },
      { token: "nonsense", key },
    ];
    for (const pair of pairs) assert.equal((await whoami(service, pair)).text, UNAUTHORIZED);
  });
});

/** JSON with one name written twice: first as given, then as it really is. */
function twice(part: object, name: string, first: unknown): string {
  return JSON.stringify(part).replace("{", `{${JSON.stringify(name)}:${JSON.stringify(first)},`);
}

function bytesOfSignature(whole: string): Buffer {
  return Buffer.from(whole.slice(whole.lastIndexOf(".") + 1), "base64url");
}
