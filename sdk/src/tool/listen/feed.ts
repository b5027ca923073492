/**
 * The two feeds that a listener follows: what happened (`/events`), and what was sent again
 * (`/events/resent`). Both are read after a position; each event keeps the bytes it was sent with.
 */

import type { Api } from "../api.ts";
import { notFromUs } from "../tool-error.ts";
import { elementsOf, memberOf } from "./raw-json.ts";

export type FeedName = "events" | "resent";

export interface FeedItem {
  readonly feed: FeedName;
  /** `sequence` of an event, `number` of one sent again. */
  readonly position: number;
  readonly id: string;
  /** What stands at this position: another key there means that the feed was set back. */
  readonly key: string;
  readonly event: string;
  /** Events of one record are delivered in order. */
  readonly record: string;
  /** Byte for byte as the service sends it. */
  readonly body: string;
}

export interface FeedPage {
  readonly items: readonly FeedItem[];
  /** The last position that there is; 0 in an empty feed. */
  readonly last: number;
}

export const PAGE_SIZE = 100;

export async function readFeedBytes(
  api: Api,
  feed: FeedName,
  { after, signal, count = PAGE_SIZE }: { after: number; signal: AbortSignal; count?: number },
): Promise<FeedPage> {
  const path = feed === "events" ? "/events" : "/events/resent";
  const text = await api.text(path, { query: { after, page_size: count }, signal });
  try {
    return pageOf(feed, text);
  } catch {
    throw notFromUs("a page of events");
  }
}

/** Throws something where the text has another shape. */
function pageOf(feed: FeedName, text: string): FeedPage {
  // What is cut out of it below is valid then.
  const { meta } = JSON.parse(text);
  const last = numberOf(feed === "events" ? meta.last_sequence : meta.last_number);
  const rows = elementsOf(memberOf(text, "data") ?? "[]");
  if (feed === "events") return { items: rows.map((body) => itemOf("events", body)), last };
  const items = rows.map((row) => ({
    ...itemOf("resent", memberOf(row, "event") ?? "{}"),
    position: numberOf(Number(memberOf(row, "number"))),
    key: memberOf(row, "resent_at") ?? "",
  }));
  return { items, last };
}

function numberOf(value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw new RangeError("no position");
}

function itemOf(feed: FeedName, body: string): FeedItem {
  const { id, event, sequence, meta, data } = JSON.parse(body);
  // Both go into headers of the delivery.
  if (![id, event].every((each) => /^[\x21-\x7e]{1,100}$/.test(each)))
    throw new RangeError("no event");
  const record = meta.transaction_id ?? data.uuid ?? data.id ?? id;
  return { feed, position: numberOf(sequence), id, key: id, event, record, body };
}
