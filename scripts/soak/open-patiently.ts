/** The database for checks that count everything: without the time limits of requests. */

import pg from "pg";
import { type Database, ROW_TYPES } from "../../src/infra/db/database.ts";
import { queryable } from "../../src/infra/db/query.ts";

/** Single statements take as long as they take; transactions stay those of the service. */
export function openPatiently(url: string, db: Database): Database {
  const pool = new pg.Pool({ connectionString: url, max: 2, types: ROW_TYPES });
  pool.on("error", () => {});
  // A killed backend says so twice; its user gets the error from the statement.
  pool.on("connect", (client) => client.on("error", () => {}));
  const { rows, maybeOne, one, run } = queryable((statement) => pool.query(statement));
  return { ...db, rows, maybeOne, one, run, close: () => pool.end() };
}
