/** What `listen` shows: its start, a line for each event with the receiver's answer, its end. */

import type { ToolContext } from "../context.ts";
import type { FeedItem } from "./feed.ts";
import type { Reply } from "./receiver.ts";

interface Start {
  readonly account: string;
  readonly environments: readonly string[];
  readonly secret: string;
  /** Made by the tool, not typed: then it is shown. */
  readonly isOwn: boolean;
  readonly read: number;
}

export type Printer = ReturnType<typeof createPrinter>;

export function createPrinter(
  context: ToolContext,
  { target, waiting }: { target: string | undefined; waiting: () => number },
) {
  const { colour, json, print, note } = context;
  let count = 0;
  let isAway = false;

  function lineOf(item: FeedItem, reply: Reply, againMs: number | undefined): string {
    const time = colour.soft(new Date().toTimeString().slice(0, 8));
    const again = item.feed === "resent" ? " (sent again)" : "";
    const head = `${time}  ${item.event}${again}  ${item.record}`;
    if (target === undefined) return `${head}  ${colour.soft(item.id)}`;
    const status = reply.status ?? reply.words;
    if (againMs === undefined) return `${head}  ${colour.good(`${status}`)} in ${reply.ms} ms`;
    const words = reply.status === undefined || reply.words === "" ? "" : `: ${reply.words}`;
    const next = `again in ${Math.ceil(againMs / 1000)} s`;
    return `${head}  ${colour.bad(`${status}`)} in ${reply.ms} ms${words}; ${next}`;
  }

  return {
    start({ account, environments, secret, isOwn, read }: Start): void {
      note(`Listening to account ${account} at ${context.url}, after event ${read}.`);
      if (environments.includes("live"))
        note("This is a live key: the events are real, and so are the customers in them.");
      if (target !== undefined) note(`Forwarding to ${target}. Ctrl-C ends.`);
      if (target !== undefined && isOwn)
        note(`Your receiver verifies with this secret, which stays the same: ${secret}`);
      const own = isOwn && target !== undefined ? { secret } : {};
      const begun = { listening: true, account, environments, read, forward_to: target, ...own };
      if (json) print(JSON.stringify(begun));
    },
    reply(item: FeedItem, reply: Reply, againMs: number | undefined): void {
      if (reply.isAway) {
        if (!isAway) note(`${target} does not answer (${reply.words}); events wait for it.`);
        isAway = true;
        return;
      }
      if (isAway) note("The receiver answers again.");
      isAway = false;
      if (reply.isAcknowledged) count += 1;
      const data = () => (target === undefined ? item.body : dataOf(item, reply, againMs));
      print(json ? data() : lineOf(item, reply, againMs));
    },
    end(): void {
      const left = waiting() === 0 ? "" : ` ${waiting()} wait for the next start.`;
      note(`${count} ${count === 1 ? "event" : "events"} delivered.${left}`);
    },
  };
}

function dataOf({ body: _, ...item }: FeedItem, reply: Reply, againMs: number | undefined) {
  const { status, ms, words, isAcknowledged } = reply;
  return JSON.stringify({
    ...item,
    acknowledged: isAcknowledged,
    status,
    ms,
    ...(words === "" ? {} : { words }),
    ...(againMs === undefined ? {} : { again_in_ms: Math.round(againMs) }),
  });
}
