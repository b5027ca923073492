/**
 * One page of a list: what the caller asks for and how the answer is wrapped (Decision 0004).
 *
 * Every list has this form, so that a client that can walk one can walk all.
 */

import { described } from "./fields/field.ts";
import { integer } from "./fields/number.ts";
import { countSchema, orNull, said, textSchema } from "./response-schema.ts";
import { type JsonSchema, Type } from "./schema.ts";

const PAGE_SIZE_MAX = 100;
const PAGE_SIZE_DEFAULT = 20;
/**
 * Of every list. Small enough that `page * page_size` stays an exact number, and that no request
 * makes the database count to a page that does not exist. A longer list is read in larger pages.
 */
export const PAGE_MAX = 1_000_000;

export const pageFields = {
  page: described(integer({ min: 1, max: PAGE_MAX, default: 1 }), "Which page.", 1),
  page_size: described(
    integer({ min: 1, max: PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT }),
    "How many of them on a page.",
    PAGE_SIZE_DEFAULT,
  ),
};

export interface PageAsked {
  readonly page: number;
  readonly page_size: number;
}

const pageMeta = Type.Object(
  {
    page: countSchema("Which page this is.", 1),
    page_size: countSchema("How many are on a full page.", PAGE_SIZE_DEFAULT),
    total: countSchema("How many there are in all.", 1),
    last_page: countSchema("The last page that has any.", 1),
  },
  { title: "PageMeta", description: "Where this page stands." },
);

const pageLink = (about: string) =>
  textSchema(about, `https://api.example.com/list?page=1&page_size=${PAGE_SIZE_DEFAULT}`);

const pageLinks = Type.Object(
  {
    first: pageLink("The first page."),
    prev: orNull(pageLink("The page before; null on the first."), null),
    next: orNull(pageLink("The page after; null at the end."), null),
    last: pageLink("The last page."),
  },
  { title: "PageLinks", description: "Follow these instead of counting: filters stay in place." },
);

/** The shape of a list's answer, for the documents. */
export function pageAnswer(item: JsonSchema) {
  return Type.Object({
    message: said("OK"),
    data: Type.Array(item, { description: "This page of them." }),
    meta: pageMeta,
    links: pageLinks,
  });
}

export interface PageBody<T> {
  readonly message: "OK";
  readonly data: readonly T[];
  readonly meta: { page: number; page_size: number; total: number; last_page: number };
  readonly links: { first: string; prev: string | null; next: string | null; last: string };
}

export function pageBody<T>(
  asked: PageAsked,
  found: { rows: readonly T[]; total: number },
  url: string,
): PageBody<T> {
  const { page, page_size } = asked;
  const lastPage = Math.max(1, Math.ceil(found.total / page_size));
  const lastAllowed = Math.min(lastPage, PAGE_MAX);
  const link = (n: number) => linkTo(url, { page: n, page_size });
  return {
    message: "OK",
    data: found.rows,
    meta: { page, page_size, total: found.total, last_page: lastPage },
    links: {
      first: link(1),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastAllowed ? link(page + 1) : null,
      last: link(lastAllowed),
    },
  };
}

/** The same address with the page changed; filters the caller gave stay in place. */
export function linkTo(url: string, asked: PageAsked & { as_of?: string | undefined }): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(asked))
    if (value === undefined) target.searchParams.delete(name);
    else target.searchParams.set(name, String(value));
  return target.href;
}
