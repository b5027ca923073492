/**
 * The logo of a business: one or none. Like the profile picture it is our own drawing of what was
 * sent (Decision 0021), but in its own proportions, and a new one simply takes the old one's place.
 * Customers see it, so its address is no secret; it changes with the logo and may be kept for long.
 */

import { recordAudit } from "../../infra/audit.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { drawUpload } from "../../infra/http/body/draw-upload.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Upload } from "../../infra/http/route.ts";
import type { ThumbnailService } from "../../infra/images/thumbnail-service.ts";
import { fixedRefusal, NotFound } from "../../kit/errors.ts";
import { createKeyQueue } from "../../kit/key-queue.ts";
import { randomHex } from "../../kit/secrets.ts";
import type { AuthContext } from "../auth/context.ts";
import { holdCredential } from "../auth/hold-credential.ts";

const LOGO_ID_BYTES = 16;
/** Where a PNG says its width, then its height. */
const PNG_WIDTH_AT = 16;
/** Whatever a browser takes the bytes for, it runs nothing. Mails and other sites may show it. */
const HEADERS = {
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "public, max-age=604800, immutable",
};

export interface BusinessContext extends AuthContext {
  readonly images: ThumbnailService;
}

export class NoLogoExists extends fixedRefusal("no_logo") {}

/** One account cannot fill the queue that all share. */
const uploads = createKeyQueue({ perKeyMax: Number.POSITIVE_INFINITY });

/** True when there was none before. */
export function setLogo(ctx: BusinessContext, caller: Caller, upload: Upload): Promise<boolean> {
  const { accountNumber } = caller;
  return uploads.run(accountNumber, async () => {
    const bytes = await drawUpload("logo", upload, (file) => ctx.images.toLogo(file));
    return ctx.db.transaction(async (tx) => {
      await holdCredential(tx, caller, "read");
      const isFirst = await storeLogo(tx, accountNumber, bytes);
      await recordAudit(tx, caller, isFirst ? "logo_created" : "logo_replaced");
      return isFirst;
    });
  });
}

/** A PNG as `toLogo` draws it. True when there was none before. */
export async function storeLogo(tx: Tx, accountNumber: string, bytes: Buffer): Promise<boolean> {
  const [width, height] = [bytes.readUInt32BE(PNG_WIDTH_AT), bytes.readUInt32BE(PNG_WIDTH_AT + 4)];
  const { is_first } = await tx.one(sqlOf({ is_first: bool })`
    insert into logos (account_number, logo_id, width, height, bytes)
    values (${accountNumber}, ${randomHex(LOGO_ID_BYTES)}, ${width}, ${height}, ${bytes})
    on conflict on constraint an_account_has_one_logo do update set
      logo_id = excluded.logo_id, width = excluded.width, height = excluded.height,
      bytes = excluded.bytes, updated_at = app_now()
    returning xmax = 0 as is_first`);
  return is_first;
}

export async function removeLogo(tx: Tx, caller: Caller): Promise<void> {
  await holdCredential(tx, caller, "read");
  const removed = await tx.run(sql`
    delete from logos where account_number = ${caller.accountNumber}`);
  if (removed === 0) throw new NoLogoExists();
  await recordAudit(tx, caller, "logo_removed");
}

/** A closed account shows nothing any more. */
export async function serveLogo(db: Queryable, logoId: string): Promise<Answer> {
  const row = await db.maybeOne(sqlOf(pick(tables.logos, "bytes"))`
    select bytes from logos join accounts using (account_number)
    where logo_id = ${logoId} and status <> 'closed'`);
  if (row === undefined) throw new NotFound("no such logo, or of a closed account");
  return { status: 200, body: row.bytes, contentType: "image/png", headers: HEADERS };
}
