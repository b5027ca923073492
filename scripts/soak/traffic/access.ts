/**
 * Signing in, refreshing, revoking, keys: and after each revocation that was answered, the dead
 * credential is tried on every process. None may take it (a request that gets no answer says
 * nothing; nor does the refusal of a key that was never seen to be taken).
 */

import { type Client, expectStatus, write } from "./client.ts";
import type { WireRequest } from "./wire.ts";

const WHOAMI = "/auth/whoami";

export async function signInAndOut(client: Client): Promise<void> {
  const { chance, diary, me } = client;
  const scopes = "svc-user-all svc-transactions-retrieve";
  const form = { email: me.email, password: me.password, scopes };
  const asked: WireRequest = { method: "POST", path: "/auth/tokens", form };
  const outcome = await write(client, "signed in", asked);
  expectStatus(client, asked, outcome, [200]);
  if (outcome.answer?.status !== 200) return;
  let { access_token: token, refresh_token: refresh } = outcome.answer.body;
  for (let round = 0; round < chance.between(0, 4); round++) {
    const form = { refresh_token: refresh };
    const again = await write(client, "refreshed", {
      method: "POST",
      path: "/auth/tokens/refresh",
      form,
    });
    // 401: a lost answer was followed by another try more than ten seconds later.
    if (again.unsure === 0)
      expectStatus(client, { method: "POST", path: "/auth/tokens/refresh" }, again, [200]);
    if (again.answer?.status !== 200) return;
    ({ access_token: token, refresh_token: refresh } = again.answer.body);
  }
  diary.secrets.add(token.split(".")[2] ?? token).add(refresh);
  if (chance.percent(60)) await revoke(client, { token }, "/auth/tokens");
}

export async function useKeys(client: Client): Promise<void> {
  const { chance, diary, me } = client;
  const name = client.word();
  const asked: WireRequest = {
    method: "POST",
    path: "/auth/keys",
    json: { environment: "sandbox", scopes: "svc-user-all", name },
    token: me.token,
    idempotencyKey: name,
  };
  const outcome = await write(client, "key made", asked);
  // 409: as many as there may be.
  expectStatus(client, asked, outcome, [201, 409]);
  const made = outcome.answer?.body?.data;
  if (outcome.answer?.status !== 201) return;
  // A replay shows the record alone.
  if (typeof made.key === "string") diary.secrets.add(made.key);
  const credential = await aliveKey(client, made.key);
  if (chance.percent(30)) {
    const path = `/auth/keys/${made.kid}/rotate`;
    const json = { overlap_seconds: 0 };
    const rotation = { method: "POST", path, json, token: me.token } as const;
    const rotated = await write(client, "key rotated", {
      ...rotation,
      idempotencyKey: client.word(),
    });
    const next = rotated.answer?.body?.data;
    if (rotated.answer?.status !== 201) return;
    if (credential !== undefined) await expectDead(client, credential, "a rotated key");
    if (typeof next.key === "string") diary.secrets.add(next.key);
    return revoke(client, await aliveKey(client, next.key), `/auth/keys/${next.kid}`);
  }
  await revoke(client, credential, `/auth/keys/${made.kid}`);
}

/** Undefined when it was not shown, or a fault took the answer. */
export async function aliveKey(client: Client, key?: string): Promise<{ key: string } | undefined> {
  if (key === undefined) return undefined;
  const asked: WireRequest = { method: "GET", path: WHOAMI, key };
  const answer = await client.wire.send(asked);
  if (answer === undefined || answer.status === 503) return undefined;
  expectStatus(client, asked, { answer, unsure: 0 }, [200]);
  return answer.status === 200 ? { key } : undefined;
}

async function revoke(
  client: Client,
  credential: { token: string } | { key: string } | undefined,
  path: string,
): Promise<void> {
  const by = credential !== undefined && "token" in credential ? credential.token : client.me.token;
  const asked: WireRequest = { method: "DELETE", path, token: by };
  const outcome = await write(client, "credential revoked", asked);
  // After a lost answer the token is dead already, and the key may be gone; after a clock that was
  // set back a token of a moment ago is one of the future.
  expectStatus(client, asked, outcome, outcome.unsure > 0 ? [200, 401, 404] : [200, 401]);
  if (outcome.answer?.status !== 200 || credential === undefined) return;
  await expectDead(client, credential, "a revoked credential");
}

export async function expectDead(
  { wire, diary }: Client,
  credential: { token: string } | { key: string },
  what: string,
): Promise<void> {
  const asked: WireRequest = { method: "GET", path: WHOAMI, ...credential };
  const slots = Array.from({ length: wire.slots }, (_, slot) => slot);
  const answers = await Promise.all(slots.map((slot) => wire.send(asked, slot)));
  for (const answer of answers) {
    if (answer === undefined || answer.status === 503) continue;
    diary.try("uses of dead credentials");
    if (answer.status !== 401) diary.complain("dead credentials", `${what}: ${answer.status}`);
  }
}
