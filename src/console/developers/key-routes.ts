/**
 * API keys in the console: the use cases of `/auth/keys`, for keys of the environment that the
 * session is in. A role may hold more in the sandbox than in live, so a key of the other
 * environment is not found: its scopes would be judged by the wrong list.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { integer } from "../../kit/fields/number.ts";
import { text } from "../../kit/fields/text.ts";
import { PAGE_MAX } from "../../kit/page.ts";
import { findKey, type KeyRow, listKeys } from "../../modules/auth/api-key.ts";
import { createKey } from "../../modules/auth/create-key.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { orRefused } from "../refused.ts";
import { ownerOf, type Visitor } from "../visitor.ts";
import { readNewKey } from "./key-fields.ts";
import { keyMadePage, newKeyPage, presetOf } from "./key-form.ts";
import { keyListPage, PAGE_SIZE } from "./key-list-page.ts";
import { keyPage } from "./key-page.ts";
import { KEYS } from "./tabs.ts";

const guarded = { right: "keys", onlyBusiness: true } as const;
export const ofKey = { ...guarded, params: { kid: text({ max: 64 }) } } as const;

export async function keyOf(
  { db }: ConsoleContext,
  { account, environment }: Visitor,
  kid: string,
): Promise<KeyRow> {
  const key = await findKey(db, { kid, accountNumber: account.accountNumber });
  if (key.environment !== environment) throw new NotFound("a key of the other environment");
  return key;
}

const list = consoleRoute({
  ...guarded,
  method: "GET",
  path: KEYS,
  summary: "API keys",
  query: { page: integer({ min: 1, max: PAGE_MAX, default: 1 }) },
  async run({ db }: ConsoleContext, { query: { page } }, visitor): Promise<Answer> {
    const found = await listKeys(db, ownerOf(visitor), { page, page_size: PAGE_SIZE });
    return keyListPage(visitor, { ...found, page });
  },
});

const form = consoleRoute({
  ...guarded,
  method: "GET",
  path: `${KEYS}/new`,
  summary: "The form of a new API key",
  needsProof: true,
  run: async (_ctx: ConsoleContext, { url }, visitor) => newKeyPage(visitor, presetOf(url)),
});

const make = consoleRoute({
  ...guarded,
  method: "POST",
  path: `${KEYS}/new`,
  summary: "Make an API key",
  needsProof: true,
  run(ctx: ConsoleContext, { texts, onceShown }, visitor): Promise<Answer> {
    const sent = texts();
    return orRefused(
      async () => {
        const wanted = readNewKey(visitor, sent);
        return onceShown(async (tx) => {
          const made = await createKey(ctx, tx, visitor.caller, wanted);
          const location = `${KEYS}/${made.row.kid}?done=key`;
          return { page: keyMadePage(visitor, made), location };
        });
      },
      (refused) => newKeyPage(visitor, sent, refused),
    );
  },
});

const one = consoleRoute({
  ...ofKey,
  method: "GET",
  path: `${KEYS}/{kid}`,
  summary: "An API key",
  run: async (ctx: ConsoleContext, { params }, visitor) =>
    keyPage(visitor, await keyOf(ctx, visitor, params.kid)),
});

export const keyRoutes: readonly ConsoleRoute<ConsoleContext>[] = [list, form, make, one];
