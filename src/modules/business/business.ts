/**
 * How a business shows itself to its customers (Decision 0093): name, ways to reach it, colour,
 * time zone, language. All of it is optional, and the same in live and sandbox. Where it says
 * nothing, pages use the holder's names and the platform's time zone.
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { orNull, textSchema, wordSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { LANGUAGES } from "../../kit/vocabulary.ts";

const BUSINESS = pick(
  tables.businesses,
  "business_name",
  "website",
  "support_email",
  "support_phone",
  "accent_colour",
  "time_zone",
  "language",
);

export type BusinessFields = Row<typeof BUSINESS>;

export const businessView = Type.Object(
  {
    business_name: orNull(textSchema("What customers know it by.", "Sea Grape Books")),
    website: orNull(textSchema("Its own site.", "https://seagrape.example.com")),
    support_email: orNull(textSchema("Where customers write.", "help@seagrape.example.com")),
    support_phone: orNull(textSchema("Where customers call.", "+18686221234")),
    accent_colour: orNull(textSchema("Of buttons on its pages, as #rrggbb.", "#0b5c66")),
    time_zone: orNull(textSchema("Of its days and times.", "America/Port_of_Spain")),
    language: orNull(
      wordSchema(LANGUAGES, "Of its pages, where neither request nor browser says one.", "en"),
    ),
    logo_url: orNull(
      textSchema("Where the logo is.", "https://api.example.com/logos/9f2c", { format: "uri" }),
      null,
    ),
  },
  { title: "Business" },
);

const NOTHING: BusinessFields = {
  business_name: null,
  website: null,
  support_email: null,
  support_phone: null,
  accent_colour: null,
  time_zone: null,
  language: null,
};

export async function findBusiness(db: Queryable, accountNumber: string): Promise<BusinessFields> {
  const row = await db.maybeOne(sqlOf(BUSINESS)`
    select ${columns(BUSINESS)} from businesses where account_number = ${accountNumber}`);
  return row ?? NOTHING;
}

const LOGO = pick(tables.logos, "logo_id");

export async function readBusiness(db: Queryable, config: Config, accountNumber: string) {
  const logo = await db.maybeOne(sqlOf(LOGO)`
    select logo_id from logos where account_number = ${accountNumber}`);
  return {
    ...(await findBusiness(db, accountNumber)),
    logo_url: logo === undefined ? null : logoUrl(config, logo.logo_id),
  };
}

function logoUrl({ http }: Pick<Config, "http">, logoId: string): string {
  return `${http.publicUrl}/logos/${logoId}`;
}
