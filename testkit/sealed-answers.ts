/**
 * What is stored for Idempotency-Keys: opened, as a repeated request gets it, and as it stands in
 * the database.
 */

import { type Queryable, type Sql, sql } from "../src/infra/db/query.ts";
import { type KeyScope, openAnswer } from "../src/infra/http/serve/sealed-answer.ts";
import type { Keyring } from "../src/kit/secrets.ts";
import type { TestService } from "./service.ts";

interface SealedRow extends KeyScope {
  readonly box: Buffer;
}

export function sealedRows(db: Queryable, where: Sql = sql`true`): Promise<SealedRow[]> {
  return db.rows<SealedRow>(sql`
    select account_number as "accountNumber", environment, route, idempotency_key as key,
      body_box as box
    from idempotency_keys where ${where}`);
}

/** The texts that would be told again; all must be under the current pepper. */
export async function openedAnswers({ ctx }: TestService, where?: Sql): Promise<string[]> {
  const { current }: Keyring = ctx.config.tokenPeppers;
  const rows = await sealedRows(ctx.db, where);
  return rows.map((row) => openAnswer(current, row, row.box).toString());
}
