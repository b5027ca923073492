/** `windward events`: the newest events of the feed, one of them, or one sent again. */

import { Command } from "commander";
import type { Api, Json } from "./api.ts";
import { act, withConnection } from "./context.ts";
import { readEventFilter } from "./event-names.ts";
import { columnsOf } from "./paint.ts";
import { readCount, ToolError, WrongUsage } from "./tool-error.ts";

interface EventsOptions {
  readonly limit: string;
  readonly events?: readonly string[];
}

const PAGE_SIZE = 100;
/** How far back events are looked for. */
const SEARCHED_MAX = 5_000;

const HELP = `
  npx windward events                         the newest
  npx windward events --events 'payment.*'    of these kinds only
  npx windward events show <id>               the whole event; a sequence does as well
  npx windward events resend <id>             send it again to those that listen`;

export function eventsCommand(): Command {
  return withConnection(new Command("events"))
    .description("list what happened, or send an event again to listen")
    .argument("[action]", "show or resend")
    .argument("[id]", "of the event, or its sequence")
    .option("--limit <number>", "how many", "20")
    .option("--events <names...>", "only these, such as payment.success or 'payment.*'")
    .addHelpText("after", HELP)
    .action(
      act<EventsOptions>(async (context, options, action, id) => {
        const filter = readEventFilter(options.events);
        const limit = readCount("--limit", options.limit);
        if (action !== undefined && (!["show", "resend"].includes(action) || id === undefined))
          throw new WrongUsage("Write events, events show <id> or events resend <id>.");
        const api = await context.api();
        if (action === undefined) {
          const events = await newest(api, limit, (each) => filter(each.event));
          return context.show(events, () => table(events));
        }
        const event = await find(api, String(id));
        if (action === "show") return context.show(event, () => JSON.stringify(event, null, 2));
        const path = { id: event.id };
        const { data } = await api.call("POST", "/events/{id}/resend", { path });
        context.show(data, () => `${event.event} (${event.id}) is sent again to listeners.`);
      }),
    );
}

function table(events: readonly Json[]): string {
  if (events.length === 0) return "None yet. Make one: npx windward trigger payment.success";
  return columnsOf(
    events.map(({ sequence, occurred_at, event, id, meta }) => [
      String(sequence),
      occurred_at,
      event,
      id,
      meta.transaction_id ?? "",
    ]),
  );
}

/** Newest first, so many of the last thousands. The feed itself is read forwards only. */
async function newest(api: Api, count: number, fits: (event: Json) => boolean): Promise<Json[]> {
  const { meta } = await readPage(api, 0, 1);
  const found: Json[] = [];
  const first = Math.max(0, meta.last_sequence - SEARCHED_MAX);
  for (let end = meta.last_sequence; end > first && found.length < count; end -= PAGE_SIZE) {
    const after = Math.max(first, end - PAGE_SIZE);
    const { data } = await readPage(api, after, end - after);
    found.push(...data.filter(fits).reverse());
  }
  return found.slice(0, count);
}

async function find(api: Api, typed: string): Promise<Json> {
  const isSequence = /^\d{1,15}$/.test(typed);
  const found = isSequence
    ? (await readPage(api, Math.max(0, Number(typed) - 1), 1)).data
    : await newest(api, 1, ({ id }) => id === typed);
  if (found[0] !== undefined) return found[0];
  throw new ToolError(`There is no event ${typed}.`, "npx windward events lists those there are.");
}

function readPage(api: Api, after: number, page_size: number): Promise<Json> {
  return api.call("GET", "/events", { query: { after, page_size } });
}
