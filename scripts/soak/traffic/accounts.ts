/** What a main merchant does: opens accounts, changes them, and their owners live in them. */

import { FOREIGN_BANK, TT_BANK } from "../../../testkit/banks.ts";
import { type Client, expectStatus, write } from "./client.ts";
import type { WireRequest } from "./wire.ts";

/** A clock that is set back makes a token of a moment ago one of the future. */
const UNBORN = 401;
const PASSWORD = "soak horse battery";

export async function keepAccounts(client: Client): Promise<void> {
  const { chance, diary, me, wire } = client;
  const word = client.word();
  const email = `${word}@example.com`;
  const token = me.token;
  const made: WireRequest = {
    method: "POST",
    path: "/accounts",
    json: {
      email,
      password: PASSWORD,
      first_name: "Kerry",
      last_name: word,
      account_type: "BUSINESS",
    },
    idempotencyKey: word,
    token,
  };
  const outcome = await write(client, "account made", made);
  expectStatus(client, made, outcome, [201]);
  const number = outcome.answer?.body?.data?.account_number;
  if (outcome.answer?.status !== 201) return;
  diary.accounts.set(number, { email, isClosed: false });
  const path = `/accounts/${number}`;
  await wire.send({ method: "GET", path, token });
  const change: WireRequest = { method: "PATCH", path, json: { first_name: client.word() }, token };
  expectStatus(client, change, await write(client, "account changed", change), [200]);
  await live(client, email);
  if (!chance.percent(60)) return;
  const closing: WireRequest = { method: "DELETE", path, token };
  const closed = await write(client, "account closed", closing);
  expectStatus(client, closing, closed, closed.unsure > 0 ? [200, 404] : [200]);
  const told = diary.accounts.get(number);
  if (closed.answer?.status === 200 && told !== undefined) told.isClosed = true;
}

/** Its owner signs in, keeps banks, changes the password and is signed out everywhere else. */
async function live(client: Client, email: string): Promise<void> {
  const { diary } = client;
  diary.secrets.add(PASSWORD);
  const form = { email, password: PASSWORD, scopes: "svc-user-all" };
  const signed = await write(client, "signed in", { method: "POST", path: "/auth/tokens", form });
  const token: string | undefined = signed.answer?.body?.access_token;
  if (token === undefined) return;
  const banks = [
    ["local", TT_BANK],
    ["foreign", FOREIGN_BANK],
  ] as const;
  for (const [type, json] of banks) {
    const path = `/user/banks/${type}`;
    const add: WireRequest = { method: "POST", path, json, token, idempotencyKey: client.word() };
    expectStatus(client, add, await write(client, "bank added", add), [201, UNBORN]);
    await write(client, "bank removed", { method: "DELETE", path, token });
  }
  const json = {
    old_password: PASSWORD,
    new_password: `${PASSWORD} again`,
    confirm_password: `${PASSWORD} again`,
  };
  const change: WireRequest = { method: "PATCH", path: "/user/password", json, token };
  const changed = await write(client, "password changed", change);
  expectStatus(client, change, changed, changed.unsure > 0 ? [200, 400, UNBORN] : [200, UNBORN]);
}
