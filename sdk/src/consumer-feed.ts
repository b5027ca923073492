/**
 * The feed as a consumer reads it: of one account and environment, in numbers without a gap.
 *
 * Numbers mean something within one feed only. An event of another one, taken for the next in line,
 * would be handled in the place of the right one; so each is looked at, wherever it comes from.
 */

import type { WindwardEvent } from "./lists.ts";
import type { WebhookEvent } from "./verify/verify-webhook.ts";
import type { Windward } from "./windward.ts";

export interface FeedAddress {
  readonly accountNumber: string;
  readonly environment: "live" | "sandbox";
}

const PAGE_SIZE = 100;

export async function readFeed(
  feed: FeedAddress & { readonly windward: Pick<Windward, "GET"> },
  after: number,
  signal: AbortSignal,
): Promise<{ events: readonly WindwardEvent[]; lastSequence: number }> {
  const query = { environment: feed.environment, after, page_size: PAGE_SIZE };
  const { data, meta } = await feed.windward.GET("/events", { params: { query }, signal });
  const { last_sequence: lastSequence } = meta;
  if (lastSequence < after)
    throw new Error(`The feed ends with ${lastSequence}, but the store has got to ${after}.`);
  for (const [index, event] of data.entries()) {
    const foreign = foreignTo(feed, event);
    if (foreign !== undefined) throw foreign;
    if (event.sequence !== after + 1 + index)
      throw new Error(`The feed has ${event.sequence} in the place of ${after + 1 + index}.`);
  }
  return { events: data, lastSequence };
}

export function foreignTo(
  { accountNumber, environment }: FeedAddress,
  { meta }: Pick<WebhookEvent, "meta">,
): Error | undefined {
  if (meta.account_number === accountNumber && meta.environment === environment) return undefined;
  return new Error(
    `An event of ${meta.account_number} (${meta.environment}) came to the consumer of ` +
      `${accountNumber} (${environment}).`,
  );
}
