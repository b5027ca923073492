/** The feed of events in the console, of the environment that the session is in. */

import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { optional } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { text } from "../../kit/fields/text.ts";
import { SEQUENCE_MAX } from "../../modules/events/event.ts";
import { newestEvents } from "../../modules/events/list-events.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { ownerOf } from "../visitor.ts";
import { eventListPage, eventPage } from "./event-pages.ts";
import { EVENTS } from "./tabs.ts";

const PAGE_SIZE = 25;
const SEQUENCE = /^[1-9]\d{0,14}$/;

const list = consoleRoute({
  method: "GET",
  path: EVENTS,
  summary: "Events",
  right: "keys",
  readsFromStandby: true,
  query: { before: optional(integer({ min: 1, max: SEQUENCE_MAX })) },
  async run(_ctx: ConsoleContext, { query: { before }, read }, visitor): Promise<Answer> {
    const page = { before, count: PAGE_SIZE + 1 };
    const found = await read((db) => newestEvents(db, ownerOf(visitor), page));
    return eventListPage(visitor, {
      rows: found.slice(0, PAGE_SIZE),
      isNewest: before === undefined,
      hasOlder: found.length > PAGE_SIZE,
    });
  },
});

const one = consoleRoute({
  method: "GET",
  path: `${EVENTS}/{sequence}`,
  summary: "An event",
  right: "keys",
  params: { sequence: text({ max: 64 }) },
  async run({ db }: ConsoleContext, { params }, visitor): Promise<Answer> {
    if (!SEQUENCE.test(params.sequence)) throw new NotFound("not the number of an event");
    const sequence = Number(params.sequence);
    const [row] = await newestEvents(db, ownerOf(visitor), { before: sequence + 1, count: 1 });
    if (row === undefined || Number(row.sequence) !== sequence) throw new NotFound("no such event");
    return eventPage(visitor, row);
  },
});

export const eventRoutes: readonly ConsoleRoute<ConsoleContext>[] = [list, one];
