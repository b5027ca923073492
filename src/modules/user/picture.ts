/**
 * The profile picture: exactly one or none (Interface §2.2, §3.1, §4.2).
 *
 * The rule that matters: state before content. Whether there is a picture is told first, whatever
 * the file; then the file is judged, outside of any tx; then one statement decides, by constraint,
 * who of several at once was first. What is kept is never what was sent but our own drawing of it
 * (Decision 0021).
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bool } from "../../infra/db/row.ts";
import { required } from "../../infra/http/body/parse-multipart.ts";
import type { Upload } from "../../infra/http/route.ts";
import { PictureRefused } from "../../infra/images/picture-refused.ts";
import type { ThumbnailService } from "../../infra/images/thumbnail-service.ts";
import { FieldRefused, ServiceError } from "../../kit/errors.ts";
import { createKeyQueue } from "../../kit/key-queue.ts";
import { randomHex } from "../../kit/secrets.ts";
import type { UserContext } from "./context.ts";

const PICTURE_ID_BYTES = 16;

export interface PictureContext extends UserContext {
  readonly images: ThumbnailService;
}

/**
 * One upload of an account after the other, in this process: so only a picture that may still be
 * the first is drawn, and one account cannot fill the queue that all share. Nothing depends on it:
 * which of several processes was first, the database decides.
 */
export const uploads = createKeyQueue({ perKeyMax: Number.POSITIVE_INFINITY });

export class NoPictureExists extends ServiceError {
  constructor() {
    super({ status: 400, code: "no_picture", message: "No profile picture exists." });
  }
}

export function newPictureId(): string {
  return randomHex(PICTURE_ID_BYTES);
}

export async function hasPicture(db: Queryable, accountNumber: string): Promise<boolean> {
  const { some } = await db.one(sqlOf({ some: bool })`
    select exists (select from pictures where account_number = ${accountNumber}) as some`);
  return some;
}

const MISSING = required("picture");
const ABOUT_PICTURE = {
  field: "picture",
  hint:
    "Send multipart/form-data with one file named picture: a bmp, gif, jpeg, png or svg of at " +
    "most 5 MB and 25 million pixels.",
};

/** The file as it will be kept, or a 400 that says what is wrong with it. */
export async function drawUpload(ctx: PictureContext, upload: Upload): Promise<Buffer> {
  const { file, problem = MISSING } = upload;
  if (file === undefined) {
    const code = problem === MISSING ? "field_required" : "field_invalid";
    throw new FieldRefused(problem, { code, ...ABOUT_PICTURE });
  }
  try {
    return await ctx.images.toThumbnail(file);
  } catch (error) {
    throw error instanceof PictureRefused ? new FieldRefused(error.message, ABOUT_PICTURE) : error;
  }
}
