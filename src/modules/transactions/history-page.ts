/**
 * A page of the history as it is sent: the shape of every list (Decision 0004), with links that
 * carry the place they lead to (Decision 0027).
 */

import { PAGE_MAX, type PageBody } from "../../kit/page.ts";
import { type Marker, writeMarker } from "./history-marker.ts";
import type { AskedPage, FoundPage } from "./history-slice.ts";

type Border = Marker["border"];

export function historyBody<Row>(
  asked: AskedPage,
  found: FoundPage,
  shown: { rows: readonly Row[]; list: string; url: string },
): PageBody<Row> {
  const { page, pageSize } = asked;
  const { keys, total, hasOlder } = found;
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  const link = (to: number, border: Border) =>
    linkTo(shown.url, {
      page: to,
      pageSize,
      as_of: writeMarker({ list: shown.list, total, border }),
    });
  const first = keys[0];
  const last = keys.at(-1);
  const newer = first && { page, key: first, keyIs: "older" as const };
  const older = last && { page: page + 1, key: last, keyIs: "newer" as const };
  return {
    message: "OK",
    data: shown.rows,
    meta: { page, page_size: pageSize, total, last_page: lastPage },
    links: {
      // A walk that begins again begins with what is new.
      first: linkTo(shown.url, { page: 1, pageSize, as_of: undefined }),
      prev: page > 1 ? link(Math.min(page - 1, lastPage), newer) : null,
      next: hasOlder && page < PAGE_MAX ? link(page + 1, older) : null,
      last: link(Math.min(lastPage, PAGE_MAX), undefined),
    },
  };
}

/** The same address at another place; filters the caller gave stay as they are. */
function linkTo(
  url: string,
  { page, pageSize, as_of }: { page: number; pageSize: number; as_of: string | undefined },
): string {
  const target = new URL(url);
  target.searchParams.set("page", String(page));
  target.searchParams.set("page_size", String(pageSize));
  if (as_of === undefined) target.searchParams.delete("as_of");
  else target.searchParams.set("as_of", as_of);
  return target.href;
}
