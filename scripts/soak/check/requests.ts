/**
 * The request log: a line at most for each request, as it was answered, of its own account, without
 * a secret; faults may take lines, and in calm each request has one soon (Decision 0087).
 */

import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../../src/infra/db/query.ts";
import { cardNumbers } from "../traffic/page.ts";
import type { WireRequest } from "../traffic/wire.ts";
import type { Check, Evidence } from "./evidence.ts";

const CALM_REQUESTS = 8;
const LOOKS_MAX = 40;
const LOOK_MS = 250;
/** What may be a secret as a whole, or hold one between points, slashes and signs of equality. */
const WORD = /[^\s"'\\,;:{}()<>&?]{12,}/g;
const BETWEEN = /[./=%]/;

interface Line extends Record<string, unknown> {
  readonly id: string;
  readonly account: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly texts: string;
}

export const theRequestLogIsTrue: Check = async (evidence) => {
  const { db, diary, watch } = evidence;
  const missing = await missingInCalm(evidence);
  const lines = await db.rows<Line>(sql`
    select request_id::text as id, account_number as account, method, path, status,
      concat_ws(' ', path, order_id, request_body, response_body, detail) as texts
    from logged_requests`);
  const twice = [...Map.groupBy(lines, ({ id }) => id)].filter(([, { length }]) => length > 1);
  const secrets = new Set([...diary.secrets, ...diary.checkoutTokens, ...cardNumbers()]);
  const wrong = lines.flatMap(({ id, account, method, path, status, texts }) => {
    const answered = watch.answered.get(id);
    const secret = secretIn(texts, secrets);
    const leak = secret === undefined ? [] : [`${id}, ${method} ${path}, tells ${secret}`];
    if (answered === undefined) return leak;
    const said = `${method} ${path} ${status} of ${account}`;
    return said === answered ? leak : [...leak, `${id} is ${said}, though it was ${answered}`];
  });
  return {
    looked: lines.filter(({ id }) => watch.answered.has(id)).length,
    wrong: [
      ...missing,
      ...twice.map(([id, { length }]) => `${id} is there ${length} times`),
      ...wrong,
      ...(diary.seenWrong.get("requests") ?? []),
    ],
  };
};

function secretIn(texts: string, secrets: ReadonlySet<string>): string | undefined {
  for (const [word] of texts.matchAll(WORD)) {
    if (secrets.has(word)) return word;
    const part = word.split(BETWEEN).find((one) => secrets.has(one));
    if (part !== undefined) return part;
  }
  return undefined;
}

/** Some requests of the first merchant: each is listed within seconds, once. */
async function missingInCalm({ merchants, wire }: Evidence): Promise<string[]> {
  const [me] = merchants;
  if (me === undefined) return ["there is no merchant"];
  const asked: WireRequest = { method: "GET", path: "/auth/whoami", token: me.token };
  const wanted: string[] = [];
  for (let turn = 0; turn < CALM_REQUESTS; turn++) {
    const { answer } = await wire.insist(asked);
    wanted.push(String(answer?.headers["x-request-id"]));
  }
  const path = `/requests?path=/auth/whoami&page_size=${10 * CALM_REQUESTS}`;
  let left = wanted;
  for (let looked = 0; looked < LOOKS_MAX && left.length > 0; looked++) {
    await sleep(LOOK_MS);
    const { answer } = await wire.insist({ method: "GET", path, token: me.token });
    const rows: { request_id: string }[] = answer?.body?.data ?? [];
    left = wanted.filter((id) => rows.filter(({ request_id }) => request_id === id).length !== 1);
  }
  return left.map((id) => `the request ${id} of calm times is not listed once`);
}
