/**
 * `windward trigger`: makes an event happen, with all that comes before it, or forces it on an
 * object that exists. It is done through the public API; the event is waited for in the feed.
 */

import { Command } from "commander";
import { EVENT_NAMES } from "../../api-operations.ts";
import { wait } from "../../wait.ts";
import type { Api, Json } from "../api.ts";
import { act, demandSandbox, type ToolContext, withConnection } from "../context.ts";
import { readEventName } from "../event-names.ts";
import { columnsOf } from "../paint.ts";
import { ToolError, WrongUsage } from "../tool-error.ts";
import { ENDPOINT_RECIPES } from "./endpoints.ts";
import { PAYMENT_RECIPES } from "./payments.ts";
import { CARD_RECIPES } from "./saved-cards.ts";
import type { Recipe, TriggerContext } from "./trigger-context.ts";
import { WITHDRAWAL_RECIPES } from "./withdrawals.ts";

const RECIPES: Readonly<Record<string, Recipe>> = {
  ...PAYMENT_RECIPES,
  ...WITHDRAWAL_RECIPES,
  ...CARD_RECIPES,
  ...ENDPOINT_RECIPES,
};

const APPEARS_WITHIN_MS = 60_000;
const POLL_MS = 300;

const HELP = `
Events
  ${EVENT_NAMES.join("\n  ")}

  npx windward trigger payment.success
  npx windward trigger payment.chargeback_pending --on SB-TT-01J…`;

export function triggerCommand(): Command {
  return withConnection(new Command("trigger"))
    .description("make an event happen in the sandbox, with all that comes before it")
    .argument("<event>", "such as payment.success")
    .option("--on <id>", "force it on this payment, withdrawal, card or webhook instead")
    .addHelpText("after", HELP)
    .action(
      act<{ on?: string }>(async (context, { on }, typed = "") => {
        const name = readEventName(typed);
        const recipe = recipeOf(name);
        if (on !== undefined && recipe.force === undefined)
          throw new WrongUsage(
            `${name} cannot be forced on an object that exists.`,
            "Leave --on away: then one is made.",
          );
        const api = await context.api();
        const { data: who } = await api.call("GET", "/auth/whoami");
        demandSandbox(who, "nothing is triggered live");
        const after = await lastSequence(api);
        const ctx = triggerContext(context, api, who);
        const id = on ?? (await recipe.make(ctx));
        await recipe.force?.(ctx, id);
        context.note(`Waiting for ${name}.`);
        const event = await appeared(api, { name, after, id });
        if (on === undefined) await recipe.after?.(ctx, id);
        context.show(event, () => words(event));
      }),
    );
}

function recipeOf(name: string): Recipe {
  const recipe = RECIPES[name];
  if (recipe !== undefined) return recipe;
  throw new ToolError(`This version cannot trigger ${name}.`, "Install a newer @windward/sdk.");
}

function triggerContext(context: ToolContext, api: Api, who: Json): TriggerContext {
  const { url, ownerApi, note } = context;
  return {
    url,
    api,
    ownerApi,
    account: { number: who.account_number, country: who.country_code },
    note,
  };
}

async function lastSequence(api: Api): Promise<number> {
  const { meta } = await api.call("GET", "/events", { query: { after: 0, page_size: 1 } });
  return meta.last_sequence;
}

/** In the feed, of this object. */
async function appeared(
  api: Api,
  { name, after, id }: { name: string; after: number; id: string },
): Promise<Json> {
  let last = after;
  for (const began = performance.now(); ; await wait(POLL_MS)) {
    const { data } = await api.call("GET", "/events", { query: { after: last, page_size: 100 } });
    const found = data.find((each: Json) => each.event === name && isAbout(each, id));
    if (found !== undefined) return found;
    last = data.at(-1)?.sequence ?? last;
    if (performance.now() - began > APPEARS_WITHIN_MS)
      throw new ToolError(
        `${name} of ${id} has not happened yet.`,
        "npx windward events shows what has; npx windward requests what was asked for.",
      );
  }
}

function isAbout({ meta, data }: Json, id: string): boolean {
  return [meta.transaction_id, data.uuid, data.id].includes(id);
}

function words({ event, id, sequence, meta, data }: Json): string {
  return columnsOf([
    ["event", event],
    ["of", meta.transaction_id ?? data.uuid ?? data.id],
    ["id", id],
    ["sequence", String(sequence)],
  ]);
}
