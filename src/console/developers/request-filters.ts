/** Which requests are listed: what stands in the address. Days are of the account's time zone. */

import { optional, readFields } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { day } from "../../kit/fields/time.ts";
import { lastMomentOf, startOfDay } from "../../kit/local-day.ts";
import type { RequestFilter } from "../../modules/request-log/list-requests.ts";
import { filterFields } from "../../modules/request-log/routes.ts";
import type { Visitor } from "../visitor.ts";
import { REQUESTS } from "./tabs.ts";

const KID_LENGTH_MAX = 64;

const { method, path, status, code, order_id } = filterFields;
const FIELDS = {
  method,
  path,
  status,
  code,
  order_id,
  credential: optional(text({ max: KID_LENGTH_MAX })),
  since: optional(day()),
  until: optional(day()),
};

export type RequestFilterName = keyof typeof FIELDS;

/** As they stand in the address, those that are set. */
export type TypedRequestFilters = Readonly<Partial<Record<RequestFilterName, string>>>;

export function typedRequestFilters(query: URLSearchParams): TypedRequestFilters {
  const set = Object.keys(FIELDS).map((name) => [name, query.get(name)?.trim()] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined && value !== ""));
}

/** Refuses what is malformed. */
export function requestFilterOf({ timeZone }: Visitor, typed: TypedRequestFilters): RequestFilter {
  const { since, until, ...rest } = readFields(FIELDS, typed);
  return {
    ...rest,
    since: since === undefined ? undefined : startOfDay(since, timeZone),
    until: until === undefined ? undefined : lastMomentOf(until, timeZone),
  };
}

export function requestsHref(
  typed: TypedRequestFilters,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...typed, ...more });
  return query.size === 0 ? REQUESTS : `${REQUESTS}?${query}`;
}
