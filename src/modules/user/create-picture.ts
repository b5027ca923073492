/** Adds a picture where there is none. */

import { recordAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql } from "../../infra/db/query.ts";
import { type Answer, created } from "../../infra/http/answer.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Call, Upload } from "../../infra/http/route.ts";
import { ServiceError } from "../../kit/errors.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { drawUpload, hasPicture, newPictureId, type PictureContext, uploads } from "./picture.ts";

export class PictureAlreadyExists extends ServiceError {
  constructor(cause?: unknown) {
    const message = "A profile picture already exists.";
    super({ status: 409, code: "picture_exists", message, cause });
  }
}

export function createPicture(
  ctx: PictureContext,
  caller: Caller,
  upload: Upload,
  once: Call<never, never, never>["once"],
): Promise<Answer> {
  const { accountNumber } = caller;
  return uploads.run(accountNumber, async () => {
    const isThere = await hasPicture(ctx.db, accountNumber);
    const bytes = isThere ? undefined : await drawUpload(ctx, upload);
    return once(async (tx) => {
      await holdCredential(tx, caller, "read");
      // Told only here: the same Idempotency-Key again is answered before, with its 201.
      if (bytes === undefined) throw new PictureAlreadyExists();
      await onConstraint(
        { an_account_has_one_picture: (cause) => new PictureAlreadyExists(cause) },
        tx.run(sql`
          insert into pictures (account_number, picture_id, bytes)
          values (${accountNumber}, ${newPictureId()}, ${bytes})`),
      );
      await recordAudit(tx, caller, "picture_created");
      return created();
    });
  });
}
