/**
 * The profile picture: exactly one or none (Interface §2.2, §3.1, §4.2).
 *
 * State comes before content: whether there is a picture is answered first, whatever the file; then
 * the file is checked, outside of any tx; then one statement decides, by constraint, which of
 * several at once was first. What is stored is never the file itself but our own drawing of it
 * (Decision 0021).
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Config } from "../../infra/config.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Answer, created } from "../../infra/http/answer.ts";
import { drawUpload } from "../../infra/http/body/draw-upload.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Call, Upload } from "../../infra/http/route.ts";
import type { ThumbnailService } from "../../infra/images/thumbnail-service.ts";
import { fixedRefusal, NotFound } from "../../kit/errors.ts";
import { createKeyQueue } from "../../kit/key-queue.ts";
import { randomHex } from "../../kit/secrets.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { UserContext } from "./context.ts";

const PICTURE_ID_BYTES = 16;
/** Whatever a browser takes the bytes for, it runs nothing (Decision 0021). */
const HEADERS = {
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "same-site",
  "cache-control": "private, max-age=300",
};

export interface PictureContext extends UserContext {
  readonly images: ThumbnailService;
}

/**
 * The uploads of an account run one after the other in this process: only a picture that may still
 * be the first is drawn, and one account cannot fill the queue that all share. Correctness does not
 * depend on it: between processes the database decides.
 */
const uploads = createKeyQueue({ perKeyMax: Number.POSITIVE_INFINITY });

export class PictureAlreadyExists extends fixedRefusal("picture_exists") {}

export class NoPictureExists extends fixedRefusal("no_picture") {}

export function createPicture(
  ctx: PictureContext,
  caller: Caller,
  upload: Upload,
  once: Call<never, never, never>["once"],
): Promise<Answer> {
  const { accountNumber } = caller;
  return uploads.run(accountNumber, async () => {
    const exists = await hasPicture(ctx.db, accountNumber);
    const bytes = exists
      ? undefined
      : await drawUpload("picture", upload, (file) => ctx.images.toThumbnail(file));
    return once(async (tx) => {
      await holdCredential(tx, caller, "read");
      // Only here: a repeated Idempotency-Key is answered before, with its 201.
      if (bytes === undefined) throw new PictureAlreadyExists();
      await onConstraint(
        { an_account_has_one_picture: (cause) => new PictureAlreadyExists(cause) },
        tx.run(sql`
          insert into pictures (account_number, picture_id, bytes)
          values (${accountNumber}, ${randomHex(PICTURE_ID_BYTES)}, ${bytes})`),
      );
      await recordAudit(tx, caller, "picture_created");
      return created();
    });
  });
}

/** Under a new address. */
export function replacePicture(ctx: PictureContext, caller: Caller, upload: Upload): Promise<void> {
  const { accountNumber } = caller;
  return uploads.run(accountNumber, async () => {
    if (!(await hasPicture(ctx.db, accountNumber))) throw new NoPictureExists();
    const bytes = await drawUpload("picture", upload, (file) => ctx.images.toThumbnail(file));
    await ctx.db.transaction((tx) =>
      changePicture(
        tx,
        caller,
        sql`update pictures
          set picture_id = ${randomHex(PICTURE_ID_BYTES)}, bytes = ${bytes}, updated_at = app_now()
          where account_number = ${accountNumber}`,
        "picture_replaced",
      ),
    );
  });
}

export function removePicture(tx: Tx, caller: Caller): Promise<void> {
  const statement = sql`delete from pictures where account_number = ${caller.accountNumber}`;
  return changePicture(tx, caller, statement, "picture_removed");
}

async function changePicture(tx: Tx, caller: Caller, statement: Sql, action: string) {
  await holdCredential(tx, caller, "read");
  if ((await tx.run(statement)) === 0) throw new NoPictureExists();
  await recordAudit(tx, caller, action);
}

async function hasPicture(db: Queryable, accountNumber: string): Promise<boolean> {
  const { some } = await db.one(sqlOf({ some: bool })`
    select exists (select from pictures where account_number = ${accountNumber}) as some`);
  return some;
}

/** Where an account's picture is served; null while it has none. */
export async function pictureUrl(
  db: Queryable,
  config: Config,
  accountNumber: string,
): Promise<string | null> {
  const row = await db.maybeOne(sqlOf(pick(tables.pictures, "picture_id"))`
    select picture_id from pictures where account_number = ${accountNumber}`);
  return row === undefined ? null : `${config.http.publicUrl}/pictures/${row.picture_id}`;
}

/** Without a credential: the address is the secret. A closed account shows nothing any more. */
export async function servePicture(db: Queryable, pictureId: string): Promise<Answer> {
  const row = await db.maybeOne(sqlOf(pick(tables.pictures, "bytes"))`
    select bytes from pictures join accounts using (account_number)
    where picture_id = ${pictureId} and status <> 'closed'`);
  if (row === undefined) throw new NotFound("no such picture, or of a closed account");
  return { status: 200, body: row.bytes, contentType: "image/png", headers: HEADERS };
}
