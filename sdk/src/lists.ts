/**
 * Lists as something to loop over: each record once, page after page, fetched as they are needed
 * (Decision 0053).
 *
 * A walk misses nothing that was there when it began, though the list
 * changes meanwhile. Transactions and withdrawals are walked by the links of the service, which
 * stay in place. Other lists are pages by number, newest first: what comes in pushes records back,
 * and those met already are left out; what goes away pulls records forward, so as many rows are
 * looked at again as the total has lost.
 */

import type { paths } from "./api-types.ts";
import type { Call } from "./call.ts";

type ListPath =
  | "/transactions/"
  | "/withdrawals/"
  | "/trusted-cards/"
  | "/payment-links"
  | "/events"
  | "/auth/keys"
  | "/webhooks"
  | "/webhooks/{id}/deliveries";

type Operation<P extends ListPath> = paths[P]["get"];
type Paging = "page" | "page_size" | "as_of" | "format";
type Filters<P extends ListPath> = Omit<NonNullable<Operation<P>["parameters"]["query"]>, Paging>;
type Item<P extends ListPath> =
  Operation<P>["responses"][200]["content"]["application/json"]["data"][number];

export type Transaction = Item<"/transactions/">;
export type Withdrawal = Item<"/withdrawals/">;
export type TrustedCard = Item<"/trusted-cards/">;
export type PaymentLink = Item<"/payment-links">;
/** As the feed shows it and webhooks bring it. */
export type WindwardEvent = Item<"/events">;

export interface Walk {
  /** Records fetched at a time, 1 to 100; 100 if absent. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

type Walker<P extends ListPath> = (
  filters?: Filters<P>,
  walk?: Walk,
) => AsyncGenerator<Item<P>, void, undefined>;

export interface Lists {
  /** Newest first. */
  readonly transactions: Walker<"/transactions/">;
  /** Newest first. */
  readonly withdrawals: Walker<"/withdrawals/">;
  /** Newest first. */
  readonly trustedCards: Walker<"/trusted-cards/">;
  /** Newest first. */
  readonly paymentLinks: Walker<"/payment-links">;
  /** Oldest first, from behind `after` to the end of the feed. */
  readonly events: Walker<"/events">;
  readonly apiKeys: Walker<"/auth/keys">;
  readonly webhooks: Walker<"/webhooks">;
  /** Of the endpoint with this id, newest first. */
  readonly deliveries: (
    id: string,
    ...rest: Parameters<Walker<"/webhooks/{id}/deliveries">>
  ) => ReturnType<Walker<"/webhooks/{id}/deliveries">>;
}

const PAGE_SIZE = 100;

interface Page {
  readonly data: readonly object[];
  readonly meta: { readonly page_size: number; readonly total?: number };
  readonly links: { readonly next: string | null };
}

type ReadPage = (query: Readonly<Record<string, unknown>>) => Promise<Page>;

export function createLists(GET: Call<"get">): Lists {
  const readerOf = (path: ListPath, walk: Walk = {}, inPath: object = {}): ReadPage => {
    const { pageSize = PAGE_SIZE, signal } = walk;
    const get = GET as unknown as (path: string, init: object) => Promise<Page>;
    return (query) =>
      get(path, {
        params: { path: inPath, query: { page_size: pageSize, ...query } },
        ...(signal && { signal }),
      });
  };
  const byLinks =
    (path: ListPath) =>
    (filters: object = {}, walk?: Walk) =>
      followLinks(readerOf(path, walk), { ...filters });
  const byNumber =
    (path: ListPath, id: string) =>
    (filters: object = {}, walk?: Walk) =>
      countPages(readerOf(path, walk), { ...filters }, id);
  return {
    transactions: byLinks("/transactions/"),
    withdrawals: byLinks("/withdrawals/"),
    events: byLinks("/events"),
    trustedCards: byNumber("/trusted-cards/", "uuid"),
    paymentLinks: byNumber("/payment-links", "id"),
    apiKeys: byNumber("/auth/keys", "kid"),
    webhooks: byNumber("/webhooks", "id"),
    deliveries: (id: string, filters: object = {}, walk?: Walk) =>
      countPages(readerOf("/webhooks/{id}/deliveries", walk, { id }), { ...filters }, "id"),
  } as unknown as Lists;
}

/** Only the query of a link is taken: behind a proxy its host may be one we cannot reach. */
async function* followLinks(read: ReadPage, filters: Record<string, unknown>) {
  let query = filters;
  for (;;) {
    const { data, links } = await read(query);
    yield* data;
    if (links.next === null) return;
    query = queryOf(links.next);
  }
}

function queryOf(link: string): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const { searchParams } = new URL(link);
  for (const name of searchParams.keys()) {
    const values = searchParams.getAll(name);
    query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}

async function* countPages(read: ReadPage, filters: Record<string, unknown>, id: string) {
  const met = new Set<unknown>();
  let lastTotal = 0;
  for (let page = 1; ; page += 1) {
    const { data, meta, links } = await read({ ...filters, page });
    const { page_size: pageSize, total = 0 } = meta;
    const lost = lastTotal - total;
    lastTotal = total;
    if (lost > 0) {
      // The loop's own step forward comes on top.
      page = Math.max(1, page - Math.ceil(lost / pageSize)) - 1;
      continue;
    }
    for (const one of data) {
      const key = (one as Record<string, unknown>)[id];
      if (!met.has(key)) yield one;
      met.add(key);
    }
    if (links.next === null) return;
  }
}
