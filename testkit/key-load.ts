/**
 * Shops that sign in and make keys as fast as they are answered, and a record of every answer that
 * promised something: whatever is killed meanwhile, what was acknowledged must be there afterwards.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { DEMO_PASSWORD } from "../src/demo-world.ts";
import { readConfig } from "../src/infra/config.ts";
import { createLog } from "../src/infra/log.ts";
import { createPasswords } from "../src/modules/accounts/passwords.ts";
import type { AskedAnswer } from "./ask.ts";
import { query } from "./database-owners.ts";
import { type Running, UNHINDERED } from "./processes.ts";

const CLIENTS = 8;
/** Of 20: a key whose answer was lost counts, too. */
const KEYS_PER_SHOP = 12;
const PAUSE_MS = 10;
const SCOPES = "svc-user-all svc-transactions-all";

export interface Acknowledged {
  /** By the token of the shop that made them. */
  readonly keys: Map<string, { kid: string; key: string }[]>;
  readonly refreshTokens: string[];
}

export interface KeyLoad {
  readonly acknowledged: Acknowledged;
  /** Every answer in order of arrival, as its status or the code of the connection's error. */
  readonly answers: { readonly at: number; readonly what: number | string }[];
  stop(): Promise<void>;
}

/** Makes the shops, all with one password, to be used one after another. */
export async function openShops(databaseUrl: string, count: number): Promise<Iterator<string>> {
  const passwords = createPasswords(
    readConfig(UNHINDERED).passwords,
    createLog({ level: "silent" }),
  );
  const { digest, pepperId } = await passwords.digest(DEMO_PASSWORD);
  await query(
    databaseUrl,
    `insert into accounts (account_number, account_type, country_code, email, first_name,
       last_name, password_digest, pepper_id)
     select (7000000000 + n)::text, 'BUSINESS', 'TT', 'shop' || n || '@example.com', 'Shop',
       n::text, '${digest}', '${pepperId}' from generate_series(1, ${count}) as n`,
  );
  return Array.from({ length: count }, (_, index) => `shop${index + 1}@example.com`).values();
}

export function startKeyLoad(service: Running, shops: Iterator<string>): KeyLoad {
  const acknowledged: Acknowledged = { keys: new Map(), refreshTokens: [] };
  const answers: KeyLoad["answers"] = [];
  let isOver = false;

  /** The answer if it is the one hoped for; anything else is only written down. */
  async function tell(answer: Promise<AskedAnswer>, hopedFor: number) {
    try {
      const { status, body } = await answer;
      answers.push({ at: performance.now(), what: status });
      return status === hopedFor ? body : undefined;
    } catch (error) {
      answers.push({ at: performance.now(), what: (error as NodeJS.ErrnoException).code ?? "?" });
      return undefined;
    }
  }

  async function signIn(email: string): Promise<string | undefined> {
    const json = { email, password: DEMO_PASSWORD, scopes: SCOPES };
    const body = await tell(service.ask("/auth/tokens", { method: "POST", json }), 200);
    if (body === undefined) return undefined;
    acknowledged.refreshTokens.push(body.refresh_token);
    acknowledged.keys.set(body.access_token, []);
    return body.access_token;
  }

  async function beShops(): Promise<void> {
    while (!isOver) {
      const { value: email, done } = shops.next();
      if (done) throw new Error("there are too few shops for this load");
      let token = await signIn(email);
      while (token === undefined && !isOver) {
        await sleep(PAUSE_MS);
        token = await signIn(email);
      }
      for (let made = 0; token !== undefined && made < KEYS_PER_SHOP && !isOver; made++) {
        const json = { environment: "sandbox", scopes: SCOPES };
        const asked = { method: "POST", token, json };
        const body = await tell(service.ask("/auth/keys", asked), 201);
        if (body !== undefined) acknowledged.keys.get(token)?.push(body.data);
        else await sleep(PAUSE_MS);
      }
    }
  }

  const clients = Array.from({ length: CLIENTS }, beShops);
  return {
    acknowledged,
    answers,
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** What of all that was acknowledged is not so any more, a sentence each. */
export async function findLost(service: Running, promised: Acknowledged): Promise<string[]> {
  const lost: string[] = [];
  const shops = [...promised.keys].values();
  const refreshTokens = promised.refreshTokens.values();
  async function check(): Promise<void> {
    for (const [token, keys] of shops) {
      const list = await service.ask("/auth/keys?page_size=100", { token });
      const listed = new Set(list.body.data?.map((row: { kid: string }) => row.kid));
      for (const { kid, key } of keys) {
        if (!listed.has(kid)) lost.push(`key ${kid} is not listed`);
        const whoami = await service.ask("/auth/whoami", { key });
        if (whoami.status !== 200) lost.push(`key ${kid} answers ${whoami.status}`);
      }
    }
  }
  async function refresh(): Promise<void> {
    for (const refreshToken of refreshTokens) {
      const json = { refresh_token: refreshToken };
      const answer = await service.ask("/auth/tokens/refresh", { method: "POST", json });
      if (answer.status !== 200) lost.push(`a refresh token answers ${answer.status}`);
      else if (answer.body.refresh_token === refreshToken)
        lost.push("a refresh gave the old token");
    }
  }
  await Promise.all([...Array.from({ length: CLIENTS }, check), refresh(), refresh()]);
  return lost;
}

export function countKeys(promised: Acknowledged): number {
  return [...promised.keys.values()].reduce((sum, keys) => sum + keys.length, 0);
}
