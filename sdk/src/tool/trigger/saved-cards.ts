/** Saved cards: saved at the page, then verified by the amount that the sandbox's redirect has. */

import { CARDS, completePage } from "./checkout-page.ts";
import type { Recipe, TriggerContext } from "./trigger-context.ts";

/** Its id, and the amount that the redirect to the shop names. */
async function save(ctx: TriggerContext): Promise<{ uuid: string; amount: string }> {
  const asked = await ctx.api.call("POST", "/trusted-cards/", {
    body: { environment: "sandbox", response_url: `${ctx.url}/docs/start` },
  });
  const { searchParams } = await completePage(asked.url, CARDS.approved);
  const uuid = searchParams.get("uuid") ?? "";
  ctx.note(`Card ${uuid} is saved.`);
  return { uuid, amount: searchParams.get("total") ?? "" };
}

const make = async (ctx: TriggerContext) => (await save(ctx)).uuid;

export const CARD_RECIPES: Readonly<Record<string, Recipe>> = {
  "trusted_card.created": { make },
  // Of a card that exists, only its holder's statement has the amount.
  "trusted_card.verified": {
    make: async (ctx) => {
      const { uuid, amount } = await save(ctx);
      const request = { path: { uuid }, body: { amount } };
      await ctx.api.call("POST", "/trusted-cards/{uuid}/verify", request);
      return uuid;
    },
  },
  "trusted_card.deleted": {
    make,
    force: ({ api }, uuid) => api.call("DELETE", "/trusted-cards/{uuid}", { path: { uuid } }),
  },
};
