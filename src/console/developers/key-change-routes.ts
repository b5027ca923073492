/** Changing, replacing and revoking an API key. */

import type { Answer } from "../../infra/http/answer.ts";
import { changeKey, revokeKey } from "../../modules/auth/change-key.ts";
import { rotateKey } from "../../modules/auth/rotate-key.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { orRefused } from "../refused.ts";
import { readKeyChange, readOverlap } from "./key-fields.ts";
import { keyMadePage } from "./key-form.ts";
import { keyPage, revokePage, rotatePage } from "./key-page.ts";
import { keyOf, ofKey } from "./key-routes.ts";
import { KEYS } from "./tabs.ts";

const change = consoleRoute({
  ...ofKey,
  method: "POST",
  path: `${KEYS}/{kid}`,
  summary: "Change an API key",
  needsProof: true,
  async run(ctx: ConsoleContext, { params, texts }, visitor): Promise<Answer> {
    const key = await keyOf(ctx, visitor, params.kid);
    const sent = texts();
    return orRefused(
      async () => {
        const wanted = readKeyChange(visitor, key, sent);
        await ctx.db.transaction((tx) => changeKey(tx, visitor.caller, key.kid, wanted));
        return redirect(`${KEYS}/${key.kid}?done=saved`);
      },
      (refused) => keyPage(visitor, key, { sent, refused }),
    );
  },
});

const rotateForm = consoleRoute({
  ...ofKey,
  method: "GET",
  path: `${KEYS}/{kid}/rotate`,
  summary: "The form that replaces an API key",
  needsProof: true,
  run: async (ctx: ConsoleContext, { params }, visitor) =>
    rotatePage(visitor, await keyOf(ctx, visitor, params.kid)),
});

const rotate = consoleRoute({
  ...ofKey,
  method: "POST",
  path: `${KEYS}/{kid}/rotate`,
  summary: "Replace an API key",
  needsProof: true,
  async run(ctx: ConsoleContext, { params, texts, onceShown }, visitor): Promise<Answer> {
    const key = await keyOf(ctx, visitor, params.kid);
    return orRefused(
      async () => {
        const wanted = { kid: key.kid, overlapSeconds: readOverlap(texts()) };
        return onceShown(async (tx) => {
          const made = await rotateKey(ctx, tx, visitor.caller, wanted);
          const location = `${KEYS}/${made.row.kid}?done=key`;
          return { page: keyMadePage(visitor, made), location };
        });
      },
      (refused) => rotatePage(visitor, key, refused),
    );
  },
});

const revokeConfirm = consoleRoute({
  ...ofKey,
  method: "GET",
  path: `${KEYS}/{kid}/revoke`,
  summary: "Whether to revoke an API key",
  run: async (ctx: ConsoleContext, { params }, visitor) =>
    revokePage(visitor, await keyOf(ctx, visitor, params.kid)),
});

/** Without a proof: a key that leaked is ended by the quickest way there is. */
const revoke = consoleRoute({
  ...ofKey,
  method: "POST",
  path: `${KEYS}/{kid}/revoke`,
  summary: "Revoke an API key",
  async run(ctx: ConsoleContext, { params }, visitor): Promise<Answer> {
    const key = await keyOf(ctx, visitor, params.kid);
    return orRefused(
      async () => {
        await ctx.db.transaction((tx) => revokeKey(tx, visitor.caller, key.kid));
        return redirect(`${KEYS}/${key.kid}?done=key_revoked`);
      },
      (refused) => keyPage(visitor, key, { refused }),
    );
  },
});

export const keyChangeRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  change,
  rotateForm,
  rotate,
  revokeConfirm,
  revoke,
];
