/** `windward requests`: the account's requests of the last days, and those that come in. */

import { Command } from "commander";
import { wait } from "../wait.ts";
import { WindwardError } from "../windward-error.ts";
import type { Api, Json } from "./api.ts";
import { act, type ToolContext, withConnection } from "./context.ts";
import { columnsOf } from "./paint.ts";
import { readCount } from "./tool-error.ts";

/** Reading the feeds and this log, which a listener does each second. */
const OWN_PATHS = ["/events", "/events/resent", "/requests"];
/** So many pages are looked through for what is not of the tool itself, or new. */
const PAGES_MAX = 20;
const PAGE_SIZE = 100;
/** A line is written when its request has ended, and dated by its beginning. */
const LATE_MS_MAX = 30_000;

interface RequestsOptions {
  readonly all?: true;
  readonly limit: string;
  readonly follow?: true;
  readonly status?: string;
  readonly path?: string;
  readonly order?: string;
}

const POLL_MS = 1_000;

export function requestsCommand(): Command {
  return withConnection(new Command("requests"))
    .description("list your requests of the last seven days, newest last")
    .option("--follow", "go on with those that come in, until Ctrl-C")
    .option("--all", "also those with which the tool reads events and requests")
    .option("--limit <number>", "how many", "20")
    .option("--status <status>", "of the answer, such as 400")
    .option("--path <path>", "how the path begins")
    .option("--order <order_id>", "of this order")
    .addHelpText("after", "\nwindward explain <request id> says what was sent, answered and wrong.")
    .action(
      act<RequestsOptions>(async (context, options) => {
        const limit = readCount("--limit", options.limit);
        const api = await context.api();
        const rows = await newest(api, options, limit);
        if (!options.follow) return context.show(rows, () => table(rows));
        for (const each of [...rows].reverse()) print(context, each);
        context.note("Waiting for requests. Ctrl-C ends.");
        await followOn(context, api, { options, known: rows });
      }),
    );
}

function queryOf({ status, path, order }: RequestsOptions): object {
  return {
    page_size: PAGE_SIZE,
    ...(status === undefined ? {} : { status }),
    ...(path === undefined ? {} : { path }),
    ...(order === undefined ? {} : { order_id: order }),
  };
}

const isShown =
  ({ all }: RequestsOptions) =>
  (row: Json) =>
    all === true || row.method !== "GET" || !OWN_PATHS.includes(row.path);

async function newest(api: Api, options: RequestsOptions, limit: number): Promise<Json[]> {
  const found: Json[] = [];
  for (let page = 1; page <= PAGES_MAX && found.length < limit; page += 1) {
    const query = { ...queryOf(options), page };
    const { data } = await api.call("GET", "/requests", { query });
    found.push(...data.filter(isShown(options)));
    if (data.length < PAGE_SIZE) break;
  }
  return found.slice(0, limit);
}

function table(rows: readonly Json[]): string {
  if (rows.length === 0) return "None in the last seven days.";
  return columnsOf([...rows].reverse().map(cells));
}

function cells({ at, status, method, path, code, duration_ms, request_id }: Json): string[] {
  return [at, String(status), method, path, `${duration_ms} ms`, code ?? "", request_id];
}

function print({ json, print: write, colour }: ToolContext, row: Json): void {
  const [at = "", status = "", ...rest] = cells(row);
  const paint = row.status >= 400 ? colour.bad : colour.good;
  const line = [at, paint(status), ...rest.filter(Boolean)].join("  ");
  write(json ? JSON.stringify(row) : line);
}

/** What waiting mends; a key that was revoked is not. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof WindwardError) || [401, 403].includes(error.status)) throw error;
}

interface Followed {
  /** The dates of the lines that were read, by id: as far back as they are read again. */
  readonly seen: Map<string, string>;
  /** The first moment to read from; undefined: there is no line to begin with. */
  since: string | undefined;
}

/** A break of the connection is said once, and outlasted. */
async function followOn(
  context: ToolContext,
  api: Api,
  { options, known }: { options: RequestsOptions; known: readonly Json[] },
): Promise<never> {
  const begin: string | undefined = known[0]?.at;
  const seen = new Map<string, string>(known.map(({ request_id, at }) => [request_id, at]));
  const followed: Followed = { seen, since: begin };
  let newestAt = begin ?? "";
  let isAway = false;
  for (;;) {
    await wait(POLL_MS);
    const found = await readUnseen(api, options, followed).catch(unlessRefused);
    if ((found === undefined) !== isAway)
      context.note(found === undefined ? "No answer; trying again." : "Connected again.");
    isAway = found === undefined;
    if (found === undefined || found.rows.length === 0) continue;
    const { rows, isCut } = found;
    if (isCut && followed.since !== undefined)
      context.note(`More than ${PAGES_MAX * PAGE_SIZE} came at once: the oldest are left out.`);
    for (const row of [...rows].reverse()) if (isShown(options)(row)) print(context, row);
    for (const { request_id, at } of rows) seen.set(request_id, at);
    newestAt = latest(newestAt, rows[0].at);
    const since = latest(begin ?? "", earlier(newestAt, LATE_MS_MAX));
    followed.since = since;
    for (const [id, at] of seen) if (at < since) seen.delete(id);
  }
}

/**
 * Newest first; `isCut`: there may be more. Older pages are read while there is something new: the
 * whole of the last half minute each second would be too much of a busy log.
 */
async function readUnseen(
  api: Api,
  options: RequestsOptions,
  { seen, since }: Followed,
): Promise<{ rows: readonly Json[]; isCut: boolean }> {
  // By id: lines that are written meanwhile move others to the next page.
  const unseen = new Map<string, Json>();
  const from = since === undefined ? {} : { since };
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const query = { ...queryOf(options), ...from, page };
    const { data } = await api.call("GET", "/requests", { query });
    const rows = data.filter(({ request_id: id }: Json) => !seen.has(id));
    for (const row of rows) unseen.set(row.request_id, row);
    if (data.length < PAGE_SIZE || rows.length === 0)
      return { rows: [...unseen.values()], isCut: false };
  }
  return { rows: [...unseen.values()], isCut: true };
}

/** Dates as the service writes them, which sort as text. */
const latest = (one: string, other: string) => (one > other ? one : other);

const earlier = (date: string, ms: number) => new Date(Date.parse(date) - ms).toISOString();
