/**
 * The profile picture (Interface §4.2). A POST whose form has `_method` set to PATCH is the PATCH
 * route in every respect: its scope, its limit, its answers.
 */

import { ok } from "../../infra/http/answer.ts";
import { MALFORMED, required } from "../../infra/http/body/parse-multipart.ts";
import { protectedRoute, publicRoute, type Refusal, type Route } from "../../infra/http/route.ts";
import { FILE_BYTES_MAX } from "../../infra/images/decoder-protocol.ts";
import { refusalsOf } from "../../infra/images/picture-refused.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { described } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { saidOnly } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { changing } from "./context.ts";
import {
  createPicture,
  NoPictureExists,
  PictureAlreadyExists,
  type PictureContext,
  removePicture,
  replacePicture,
  servePicture,
} from "./picture.ts";

const group = "User";
const own = { path: "/user/picture", group } as const;
const upload = { field: "picture", bytesMax: FILE_BYTES_MAX };
/** The refusals of a file. */
const badFiles: readonly Refusal[] = [
  new FieldRefused(required(upload.field), { code: "field_required" }),
  MALFORMED,
  "The picture must be a file.",
  ...refusalsOf("picture"),
  `The picture may not be greater than ${FILE_BYTES_MAX / 1_048_576} MB.`,
  "The body may hold only one file.",
  "The body has a key that is not allowed.",
];

const createPictureRoute = protectedRoute({
  ...own,
  method: "POST",
  summary: "Add the profile picture",
  about:
    "A bmp, gif, jpeg, png or svg of at most 5 MB and 25 million pixels. It is kept as a PNG of " +
    "200 by 200 pixels, filled, without metadata. A client that cannot send a file with PATCH " +
    "sends it here with a field `_method` set to PATCH.",
  access: changing("create"),
  limit: { name: "picture_create", per: "account" },
  upload,
  overridableBy: "PATCH",
  idempotent: true,
  answers: {
    200: { about: "With `_method` PATCH: replaced", body: saidOnly() },
    201: { about: "Added", body: saidOnly("Created") },
    400: {
      about: "No file, or one that is not taken",
      refusals: [
        ...badFiles,
        new FieldRefused("The _method must be PATCH.", { code: "field_not_allowed" }),
        new NoPictureExists(),
      ],
    },
    409: {
      about: "There is a picture already, whatever the file",
      refusals: [new PictureAlreadyExists()],
    },
  },
  async run(ctx: PictureContext, { upload: sent, once }, caller) {
    return createPicture(ctx, caller, sent, once);
  },
});

const replacePictureRoute = protectedRoute({
  ...own,
  method: "PATCH",
  summary: "Replace the profile picture",
  about: "The new picture has a new address; the old address leads nowhere.",
  access: changing("update"),
  limit: { name: "picture_update", per: "account" },
  upload,
  answers: {
    200: { about: "Replaced", body: saidOnly() },
    400: {
      about: "There is no picture, whatever the file; or the file is not taken",
      refusals: [new NoPictureExists(), ...badFiles],
    },
  },
  async run(ctx: PictureContext, { upload: sent }, caller) {
    await replacePicture(ctx, caller, sent);
    return ok();
  },
});

const removePictureRoute = protectedRoute({
  ...own,
  method: "DELETE",
  summary: "Remove the profile picture",
  access: changing("delete"),
  limit: { name: "picture_delete", per: "account" },
  answers: {
    200: { about: "Removed", body: saidOnly() },
    400: { about: "There is no picture", refusals: [new NoPictureExists()] },
  },
  run: (_ctx: PictureContext, { once }, caller) =>
    once((tx) => removePicture(tx, caller).then(() => ok())),
});

const servePictureRoute = publicRoute({
  method: "GET",
  path: "/pictures/{picture_id}",
  group,
  summary: "Show a profile picture",
  about: "The address is in the profile. It cannot be guessed, and changes with the picture.",
  params: {
    picture_id: described(
      text({ max: 64 }),
      "From the profile.",
      "9f2c5e1b7a3d4c68b0f1e2d3c4a5968f",
    ),
  },
  answers: {
    200: {
      about: "The picture",
      contentType: "image/png",
      body: Type.String(),
      headers: ["Cache-Control"],
    },
    404: { about: "No picture has this address" },
  },
  async run(ctx: PictureContext, { params }) {
    return servePicture(ctx.db, params.picture_id);
  },
});

export const pictureRoutes: readonly Route<PictureContext>[] = [
  createPictureRoute,
  replacePictureRoute,
  removePictureRoute,
  servePictureRoute,
];
