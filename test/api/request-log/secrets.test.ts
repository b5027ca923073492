/**
 * The guarantee: whatever is sent and answered, no card number, security code, password, token, key
 * or secret is in the request log (Decision 0087).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { plainDigits } from "../../../src/kit/plain-digits.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { readEscapes } from "../../../src/kit/written-digits.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { minimal, PATH } from "../../../testkit/payment-requests.ts";
import { randomNumbers } from "../../../testkit/random-numbers.ts";
import { dumpTables, numbersIn } from "../../../testkit/secrets-search.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";

const service = await startService();
const { ctx, world } = service;
after(() => service.stop());

const shop = await world.mainMerchant();
const { token } = await mintToken(ctx, shop, SCOPES);
const { key } = await mintKey(ctx, shop, SCOPES);

const SEED = process.env.SEED === undefined ? 2_026 : Number(process.env.SEED);
const BODIES = 300;
const part = randomNumbers(SEED);
const random = (below: number) => Math.floor(part(below));
const oneOf = <T>(list: readonly T[]): T => {
  const found = list[random(list.length)];
  assert(found !== undefined);
  return found;
};

const SECRET_NAMES = [
  ...["password", "old_password", "newPassword", "Passphrase", "passwd", "secret", "client-secret"],
  ...["signing_secret", "token", "access_token", "refreshToken", "id_token", "key", "api_key"],
  ...["hash_key", "X-SVC-Key", "private_key", "otp", "totp", "cvv", "CVC", "card_cvv2", "pin"],
  ...["security_code", "authorization", "cookie", "recovery_codes", "credentials", "card_number"],
  ...["cardNo", "pan", "bank_account", "beneficiary_account_number", "iban", "id_number"],
];
const OTHER_NAMES = ["data", "description", "order_id", "name", "email", "note", "total", "url"];
/** The zeros of ASCII (twice, being the most usual), Arabic, Devanagari and Adlam. */
const ZEROS = [0x30, 0x30, 0x660, 0x966, 0x1e950];
const GAPS = ["", " ", "-", ".", "  ", " - ", "+", "%20", "\t", "\u00a0"];

let made = 0;
const secrets: string[] = [];

/** Long enough to be found again, with characters that JSON and forms write otherwise. */
function newSecret(): string {
  const marks = ['"', "\\", "}", "]", ",", "&", "'", "é", "\n", ":", "{", '\\"'];
  const id = `canary${++made}x${random(1e9).toString(36)}`;
  return `${random(2) === 0 ? oneOf(marks) : ""}${id}${random(2) === 0 ? oneOf(marks) : ""}`;
}

const pans = new Set<string>();

function newPan(): string {
  const body = `4${Array.from({ length: 14 }, () => random(10)).join("")}`;
  const sum = [...body].reduce((so, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return so + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  const digits = body + ((10 - (sum % 10)) % 10);
  pans.add(digits);
  return (digits.match(/\d{4}/g) ?? []).join(oneOf(GAPS));
}

/** With the digits of some script, or as escapes of JSON in a text. */
function written(pan: string): string {
  const zero = oneOf(ZEROS);
  const inScript = pan.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  if (random(4) > 0) return inScript;
  return inScript.replace(/[^\s%+-]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function value(depth: number): unknown {
  const kinds = depth > 2 ? 4 : 7;
  switch (random(kinds)) {
    case 0:
      return `paid with ${written(newPan())}`;
    case 1:
      return random(1_000);
    case 2:
      return `see https://x.example/?a=1&${oneOf(SECRET_NAMES)}=${newSecret().replace(/\W/g, "")}`;
    case 3:
      return Number(newPan().replace(/\D/g, ""));
    case 4:
      return JSON.stringify(body(depth + 1));
    case 5:
      return [value(depth + 1), body(depth + 1)];
    default:
      return body(depth + 1);
  }
}

function body(depth = 0): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (let count = 1 + random(4); count > 0; count--) fields[oneOf(OTHER_NAMES)] = value(depth);
  for (let count = 1 + random(3); count > 0; count--) {
    const name = oneOf(SECRET_NAMES);
    const inside = [
      () => newSecret(),
      () => [newSecret(), newSecret()],
      () => ({ x: newSecret() }),
    ];
    fields[name] = oneOf(inside)();
  }
  return fields;
}

/** As one text, with what JSON escapes in it plain. */
async function stored(): Promise<string> {
  await ctx.requestLog.flush();
  return (await dumpTables(ctx.db)).filter((line) => line.includes("response_body")).join("\n");
}

async function expectNone(): Promise<void> {
  const text = await stored();
  assert(text.length > 0, "nothing was stored");
  const canaries = [...text.matchAll(/canary\d+x/g)].map(({ index }) => index);
  const others = secrets.map((one) => text.indexOf(one)).filter((index) => index !== -1);
  const at = [...canaries, ...others].map((index) => text.slice(index - 150, index + 60));
  assert.deepEqual(at, [], `seed ${SEED}`);
  const gaps = /\\+[tn]|\u00a0|%(?:25)*(?:09|20|2B|C2%A0)|\.| - /gi;
  const lines = plainDigits(readEscapes(text))
    .split("\n")
    .map((line) => line.replace(gaps, " ").replace(/ +/g, " "));
  const holding = lines.filter((line) => numbersIn(line, pans).length > 0);
  assert.deepEqual(holding.slice(0, 3), [], `seed ${SEED}`);
}

test("of random bodies, paths and queries with secrets everywhere", async () => {
  for (let turn = 0; turn < BODIES; turn++) {
    const sent = body();
    const options: RequestOptions = turn % 2 === 0 ? { token } : { key };
    const secret = newSecret().replace(/\W/g, "");
    const query = `?${oneOf(SECRET_NAMES)}=${secret}&note=${encodeURIComponent(written(newPan()))}`;
    switch (turn % 4) {
      case 0:
        await service.request(`/webhooks${query}`, { method: "POST", json: sent, ...options });
        break;
      case 1: {
        const json = { ...sent, ...minimal(shop.accountNumber), order_id: newPan() };
        await service.request(PATH + query, { method: "POST", json });
        break;
      }
      case 2: {
        const texts = Object.entries(sent).map(([name, one]) => [name, JSON.stringify(one)]);
        const form = Object.fromEntries([...texts, ["account_number", shop.accountNumber]]);
        await service.request(PATH, { method: "POST", form });
        break;
      }
      default: {
        const pan = encodeURIComponent(newPan());
        const headers = { "idempotency-key": newPan().replace(/\s/g, ""), cookie: `a=${secret}` };
        await service.request(`/transactions/${pan}${query}`, { ...options, headers });
      }
    }
  }
  await expectNone();
});

test("of bodies that are cut anywhere", async () => {
  for (let turn = 0; turn < 60; turn++) {
    const filler = "x".repeat(3_900 + random(160));
    const sent = { filler, note: `paid with ${written(newPan())}`, ...body() };
    await service.request("/webhooks", { method: "POST", json: sent, token });
  }
  await expectNone();
});

describe("what is shown once", () => {
  const ask = async (path: string, options: RequestOptions): Promise<TestAnswer> => {
    const answer = await service.request(path, { token, ...options });
    assert(answer.status < 300, answer.text);
    return answer;
  };

  test("keys, secrets and passwords are not stored, in requests or in answers", async () => {
    const hook = { url: "https://hooks.example.com/a", environment: "sandbox" };
    const made = await ask("/auth/keys", {
      method: "POST",
      json: { environment: "sandbox", scopes: "svc-user-all", name: "shop" },
    });
    secrets.push(made.body.data.key, made.body.data.key.split("_").at(-1));
    const endpoint = await ask("/webhooks", { method: "POST", json: hook });
    secrets.push(endpoint.body.data.secret, endpoint.body.data.secret.slice(6));
    const keys = await ask("/user/payment-key", {});
    const { hash_key: hashKey, signing_secret: signingSecret } = keys.body.data;
    secrets.push(hashKey, signingSecret);
    const page = await service.request(PATH, {
      method: "POST",
      json: minimal(shop.accountNumber),
    });
    secrets.push(page.body.url.split("/").at(-1));
    const passwords = { old_password: shop.password, new_password: "Canary-Password-1" };
    await ask("/user/password", {
      method: "PATCH",
      json: { ...passwords, confirm_password: "Canary-Password-1" },
    });
    secrets.push(shop.password, "Canary-Password-1", token, token.split(".").at(-1) ?? "");
    for (const one of secrets) assert.equal(typeof one, "string");
    await expectNone();
  });
});
