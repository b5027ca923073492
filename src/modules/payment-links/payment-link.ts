/**
 * Payment links: what a merchant offers at an address of ours, without a site or a program of its
 * own (Decisions 0099 and 0100). What a link costs never changes; everything else may.
 *
 * A link's row is locked after the sessions of its payments, never before them.
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import {
  bigint,
  bool,
  columns,
  computed,
  int,
  json,
  nullable,
  type Row,
} from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NotFound } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import type { PageAsked } from "../../kit/page.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { OrderItem } from "../transactions/order-items.ts";

/** Without letters and digits that are read as others; 68 bits in 14 of them. */
export const SLUG = /^[2-9a-hjkmnp-tv-z]{14}$/;

export const LINK = {
  ...tables.payment_links,
  items: nullable(json<readonly OrderItem[]>()),
  is_expired: computed(bool, sql`coalesce(expires_at <= app_now(), false)`),
  paid_count: computed(
    int,
    sql`(select coalesce(sum(months.paid_count), 0)::int from payment_link_months as months
      where months.link_id = payment_links.link_id)`,
  ),
  paid_minor: computed(
    bigint,
    sql`(select coalesce(sum(months.paid_minor), 0)::bigint from payment_link_months as months
      where months.link_id = payment_links.link_id)`,
  ),
};

export type LinkRow = Row<typeof LINK>;

export const LINK_COLUMNS = columns(LINK);

export type LinkState = "open" | "off" | "expired" | "full";

/** Whether it can be paid, as far as the link itself has a say. */
export function stateOf(
  link: Pick<LinkRow, "is_active" | "is_expired" | "max_payments" | "slots_taken">,
): LinkState {
  if (!link.is_active) return "off";
  if (link.is_expired) return "expired";
  const isFull = link.max_payments !== null && link.slots_taken >= link.max_payments;
  return isFull ? "full" : "open";
}

export function linkUrl({ http }: Pick<Config, "http">, slug: string): string {
  return `${http.paymentsPublicUrl}/pay/${slug}`;
}

/** Where the browser comes back to, with the result. */
export function doneUrl(
  config: Pick<Config, "http">,
  { slug, method }: { readonly slug: string; readonly method: string },
): string {
  return `${linkUrl(config, slug)}/done${method === "3co_simple" ? "?frame=1" : ""}`;
}

export interface WantedLink {
  readonly id: string;
  readonly accountNumber: string;
  /** Undefined: either, as far as the credential reaches. */
  readonly environment: Environment | undefined;
}

/** Unknown, another account's and of the other environment are one 404. */
export function findLink(db: Queryable, wanted: WantedLink): Promise<LinkRow> {
  return find(db, wanted, sql``);
}

/** To change it. */
export function lockLink(tx: Tx, wanted: WantedLink): Promise<LinkRow> {
  return find(tx, wanted, sql`for no key update`);
}

async function find(db: Queryable, wanted: WantedLink, lock: Sql): Promise<LinkRow> {
  const { id, accountNumber, environment = null } = wanted;
  if (!UUID.test(id)) throw new NotFound("not the shape of a uuid");
  const row = await db.maybeOne(sqlOf(LINK)`
    select ${LINK_COLUMNS} from payment_links
    where link_id = ${id} and account_number = ${accountNumber}
      and environment = coalesce(${environment}, environment) ${lock}`);
  if (row === undefined) throw new NotFound("no such payment link, or not within reach");
  return row;
}

/** An account's links of one environment, newest first. */
export async function listLinks(
  db: Queryable,
  { accountNumber }: Pick<Caller, "accountNumber">,
  asked: PageAsked & {
    readonly environment: Environment;
    readonly label?: string | undefined;
    readonly active?: boolean | undefined;
  },
): Promise<{ rows: LinkRow[]; total: number }> {
  const { page, page_size, environment, label, active } = asked;
  const own = sql`account_number = ${accountNumber} and environment = ${environment}
    ${label === undefined ? sql`` : sql`and label = ${label}`}
    ${active === undefined ? sql`` : sql`and is_active = ${active}`}`;
  const { total } = await db.one(sqlOf({ total: int })`
    select count(*)::int as total from payment_links where ${own}`);
  const rows = await db.rows(sqlOf(LINK)`
    select ${LINK_COLUMNS} from payment_links where ${own}
    order by created_at desc, link_id desc
    limit ${page_size} offset ${(page - 1) * page_size}`);
  return { rows, total };
}
