/**
 * A database that production has used says so, and no other stage starts on it: development would
 * add accounts whose passwords stand in the README, show every mail, and pay by a simulator
 * (Decision 0141).
 */

import type pg from "pg";

export class UsedInProduction extends Error {
  constructor() {
    super(
      "The database was used in production, and this is development. Set STAGE=production, or " +
        "point DATABASE_URL at another database.",
    );
  }
}

/** Before anything is changed in it, migrations included. */
export async function demandUnused(client: pg.Client): Promise<void> {
  const found = await client.query("select to_regclass('production_use') is not null as here");
  if (!found.rows[0].here) return;
  const used = await client.query("select from production_use");
  if (used.rows.length > 0) throw new UsedInProduction();
}

export async function markUsed(client: pg.Client): Promise<void> {
  await client.query("insert into production_use default values on conflict do nothing");
}
