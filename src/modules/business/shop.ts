/**
 * What a customer's page shows of an account (Decision 0093): the name and logo of its business,
 * else the names and the picture of its holder. Read in statements of several modules, which call
 * the rows `account`, `business`, `logo` and `picture`.
 */

import { sql } from "../../infra/db/query.ts";
import { computed, int, nullable, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

export const SHOP = {
  shop: computed(
    text,
    sql`coalesce(business.business_name, account.first_name || ' ' || account.last_name)`,
  ),
  business_language: computed(tables.businesses.language, sql`business.language`),
  logo_id: computed(nullable(text), sql`logo.logo_id`),
  logo_width: computed(nullable(int), sql`logo.width`),
  logo_height: computed(nullable(int), sql`logo.height`),
};

export interface Logo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

export function logoOf(row: Row<typeof SHOP>): Logo | undefined {
  const { logo_id, logo_width: width, logo_height: height } = row;
  if (logo_id === null || width === null || height === null) return undefined;
  return { src: `/logos/${logo_id}`, width, height };
}

export const PICTURE = { picture_id: computed(nullable(text), sql`picture.picture_id`) };

export function pictureOf({ picture_id }: Row<typeof PICTURE>): string | undefined {
  return picture_id === null ? undefined : `/pictures/${picture_id}`;
}
