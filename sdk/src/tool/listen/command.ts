/** `windward listen`: events of the sandbox, forwarded to a receiver on your own machine. */

import process from "node:process";
import { Command } from "commander";
import { WindwardError } from "../../windward-error.ts";
import { type Api, createApi } from "../api.ts";
import { act, type ToolContext, withConnection } from "../context.ts";
import { readDuration } from "../duration.ts";
import { readEventFilter } from "../event-names.ts";
import { tryLock, type Unlock } from "../file-lock.ts";
import { makePrivateFolder, stateFolder } from "../private-file.ts";
import { readAddress } from "../read-address.ts";
import { ToolError } from "../tool-error.ts";
import type { FeedItem } from "./feed.ts";
import { Lanes } from "./lanes.ts";
import { ListenState, stateFile } from "./listen-state.ts";
import { beginAt, follow, persist } from "./listener.ts";
import { givenSecret, ownSecret, secretOption } from "./own-secret.ts";
import { createPrinter, type Printer } from "./printer.ts";
import { deliver, type Reply } from "./receiver.ts";

interface ListenOptions {
  readonly forwardTo?: string;
  readonly events?: readonly string[];
  readonly secret?: string;
  readonly fromStart?: true;
  readonly since?: string;
}

const HELP = `
Every event arrives, also after a break, a sleep of the laptop or a restart: how far it has come is
kept on disk, and what your receiver acknowledged (2xx) is not sent again. What it refuses is tried
again, and holds back later events of the same payment. What is sent again from the console or with
npx windward events resend arrives, too. Signed like real webhooks, in both schemes.

  npx windward listen --forward-to http://localhost:8000/webhooks
  npx windward listen --forward-to http://localhost:8000/webhooks --events 'payment.*'`;

/** What ends it as it should: a signal. */
const ENDED = new Error("ended");

/** A moment before the time that it is given. */
type Ago = (now: Date) => Date;

interface ListenPlan {
  readonly isWanted: (event: string) => boolean;
  readonly begin: "start" | Date | Ago | undefined;
  readonly target: string | undefined;
  /** The secret that was given; undefined for its own. */
  readonly typed: string | undefined;
}

interface Session {
  readonly context: ToolContext;
  readonly api: Api;
  readonly plan: ListenPlan;
  readonly stop: AbortController;
}

/** What is in transit may still be answered when the listener ends. */
const END_WITHIN_MS = 2_000;

export function listenCommand(): Command {
  return withConnection(new Command("listen"))
    .description("forward events to a receiver on this machine, and miss none")
    .option("--forward-to <url>", "where to send them; without it they are only shown")
    .option("--events <names...>", "only these, such as payment.success or 'payment.*'")
    .addOption(secretOption("sign with this instead of its own"))
    .option("--from-start", "begin with the first event there is")
    .option("--since <time>", "begin with what happened then: 1h ago, or a time")
    .addHelpText("after", HELP)
    .action(act<ListenOptions>(listen));
}

/** What was typed, checked before anything is sent. */
function readPlan({ events, forwardTo, secret, ...options }: ListenOptions): ListenPlan {
  return {
    isWanted: readEventFilter(events),
    begin: readBegin(options),
    target: readTarget(forwardTo),
    typed: givenSecret(secret),
  };
}

async function listen(context: ToolContext, options: ListenOptions): Promise<void> {
  const plan = readPlan(options);
  const stop = new AbortController();
  // Kept for later ones: through npx one Ctrl-C arrives twice, and the second must not cut short
  // what the first has begun. That ends by itself within END_WITHIN_MS.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => stop.abort(ENDED));
  const baseUrl = context.url;
  const apiKey = await context.key();
  const api = createApi({ baseUrl, apiKey, retries: 0, timeoutSeconds: 15 });
  try {
    await listenAlone({ context, api, plan, stop });
  } catch (error) {
    if (error !== ENDED) throw error;
  }
}

/** With the lock of what it forwards from and to. */
async function listenAlone(session: Session): Promise<void> {
  const { context, api, plan, stop } = session;
  const { signal } = stop;
  const { note, url } = context;
  const { data: who } = await persist({ signal, note }, () =>
    api.call("GET", "/auth/whoami", { signal }),
  );
  const { account_number: account, environments } = who;
  const file = stateFile([url, account, environments.join(), plan.target ?? ""]);
  await makePrivateFolder(stateFolder());
  const unlock = await lock(`${file}.lock`);
  try {
    const state = await openState(session, file);
    const secret = plan.typed ?? (await ownSecret(url, account));
    const { read } = state.feeds.events;
    const printer = createPrinter(context, { ...plan, waiting: () => state.waitingCount() });
    printer.start({ account, environments, secret, isOwn: plan.typed === undefined, read });
    await forward(session, { state, secret, printer });
  } finally {
    await unlock();
  }
}

async function lock(file: string): Promise<Unlock> {
  const unlock = await tryLock(file);
  if (typeof unlock === "function") return unlock;
  throw new ToolError(
    `Another windward listen forwards to the same address (process ${unlock.holder}).`,
    `End it first, or give another --forward-to. If there is none, delete ${file}.`,
  );
}

async function openState({ context, api, plan, stop }: Session, file: string) {
  const state = await ListenState.open(file);
  const from = plan.begin ?? (state.isNew ? "now" : undefined);
  const { signal } = stop;
  const { note } = context;
  if (from !== undefined)
    await persist({ signal, note }, async () => {
      const begin = typeof from === "function" ? from(await readTime(api, signal)) : from;
      await beginAt({ api, state, signal }, begin);
    });
  return state;
}

/** By which events are dated: the sandbox's clock may have been moved. */
async function readTime(api: Api, signal: AbortSignal): Promise<Date> {
  try {
    const { data } = await api.call("GET", "/sandbox/clock", { signal });
    return new Date(data.now);
  } catch (error) {
    // Production and live keys have no such clock, and a key that reads events may not read it.
    if (error instanceof WindwardError && [403, 404].includes(error.status)) return new Date();
    throw error;
  }
}

/** Until it is stopped; then what is in transit is waited for, and written down. */
async function forward(
  { context, api, plan, stop }: Session,
  { state, secret, printer }: { state: ListenState; secret: string; printer: Printer },
): Promise<void> {
  const { signal } = stop;
  const { isWanted, target } = plan;
  const work = workOf({ target, secret, signal }, state);
  const lanes = new Lanes({ ...work, onReply: printer.reply, signal });
  try {
    await follow({ api, state, lanes, isWanted, signal, note: context.note });
  } finally {
    stop.abort();
    await lanes.end();
    await state.save();
    printer.end();
  }
}

function workOf(
  { target, secret, signal }: { target: string | undefined; secret: string; signal: AbortSignal },
  state: ListenState,
) {
  return {
    acknowledge: (item: FeedItem) => state.acknowledge(item),
    deliver(item: FeedItem): Promise<Reply> {
      if (target === undefined) return Promise.resolve(SHOWN);
      return deliver(item, { url: target, secret, signal: endingAfter(signal) });
    },
  };
}

/** Without a receiver, an event that was shown is done. */
const SHOWN: Reply = { isAcknowledged: true, isAway: false, status: undefined, ms: 0, words: "" };

function endingAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const end = () => void setTimeout(() => late.abort(), END_WITHIN_MS).unref();
  signal.addEventListener("abort", end, { once: true });
  return late.signal;
}

function readBegin({ fromStart, since }: ListenOptions): ListenPlan["begin"] {
  if (fromStart) return "start";
  if (since === undefined) return undefined;
  const time = new Date(since);
  if (!Number.isNaN(time.getTime()) && /[-:]/.test(since)) return time;
  const ago: Ago = (now) =>
    new Date(now.getTime() - readDuration(since.replace(/ ago$/, ""), now) * 1000);
  // What is no duration is refused before anything is sent.
  ago(new Date());
  return ago;
}

function readTarget(typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  // As people write it: a port, a host with a port, or a whole address.
  const text = /^\d{2,5}(\/|$)/.test(typed) ? `localhost:${typed}` : typed;
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`;
  const example = "http://localhost:8000/webhooks";
  return readAddress(whole, { name: "--forward-to", example }).href;
}
