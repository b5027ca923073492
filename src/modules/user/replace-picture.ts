/** Puts another picture in the place of the one there is, under a new address. */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Upload } from "../../infra/http/route.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import {
  drawUpload,
  hasPicture,
  NoPictureExists,
  newPictureId,
  type PictureContext,
  uploads,
} from "./picture.ts";

export function replacePicture(ctx: PictureContext, caller: Caller, upload: Upload): Promise<void> {
  const { accountNumber } = caller;
  return uploads.run(accountNumber, async () => {
    if (!(await hasPicture(ctx.db, accountNumber))) throw new NoPictureExists();
    const bytes = await drawUpload(ctx, upload);
    await ctx.db.transaction(async (tx) => {
      await holdCredential(tx, caller, "read");
      const replaced = await tx.run(sql`
        update pictures
        set picture_id = ${newPictureId()}, bytes = ${bytes}, updated_at = app_now()
        where account_number = ${accountNumber}`);
      if (replaced === 0) throw new NoPictureExists();
      await recordAudit(tx, caller, "picture_replaced");
    });
  });
}
