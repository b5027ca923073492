/**
 * Shows a picture to whoever knows its address. A closed account shows nothing any more.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";

/** Nothing a browser might take the bytes for could do anything (Decision 0021). */
const HEADERS = {
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "same-site",
  "cache-control": "private, max-age=300",
};

export async function servePicture(db: Queryable, pictureId: string): Promise<Answer> {
  const row = await db.maybeOne(sqlOf(pick(tables.pictures, "bytes"))`
    select bytes from pictures join accounts using (account_number)
    where picture_id = ${pictureId} and status <> 'closed'`);
  if (row === undefined) throw new NotFound("no such picture, or of a closed account");
  return { status: 200, body: row.bytes, contentType: "image/png", headers: HEADERS };
}
