/** A connection for one piece of work, closed whatever becomes of it. */

import pg from "pg";

export async function withClient<T>(
  database: URL,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: database.href });
  await client.connect();
  return use(client).finally(() => client.end());
}
