/** The business profile and its logo. Both are shared with live, so a sandbox key only reads. */

import { created, ok } from "../../infra/http/answer.ts";
import { MALFORMED, required } from "../../infra/http/body/parse-multipart.ts";
import { protectedRoute, publicRoute, type Route } from "../../infra/http/route.ts";
import { FILE_BYTES_MAX } from "../../infra/images/decoder-protocol.ts";
import { refusalsOf } from "../../infra/images/picture-refused.ts";
import { FieldRefused, NothingToChange } from "../../kit/errors.ts";
import { described } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { saidOnly, saidWith } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { changing, reading } from "../user/context.ts";
import { businessView, readBusiness } from "./business.ts";
import { businessBody } from "./business-fields.ts";
import { changeBusiness, NOTHING_TO_CHANGE } from "./change-business.ts";
import { type BusinessContext, NoLogoExists, removeLogo, serveLogo, setLogo } from "./logo.ts";

const group = "User";

const readBusinessRoute = protectedRoute({
  method: "GET",
  path: "/user/business",
  group,
  summary: "Read the business profile",
  access: reading,
  answers: { 200: { about: "What customers see", body: saidWith(businessView) } },
  async run({ db, config }: BusinessContext, _call, { accountNumber }) {
    return ok({ data: await readBusiness(db, config, accountNumber) });
  },
});

const changeBusinessRoute = protectedRoute({
  method: "PATCH",
  path: "/user/business",
  group,
  summary: "Change the business profile",
  about: "What is left out stays as it is; null or an empty text clears a field.",
  access: changing("update"),
  limit: { name: "business", per: "account" },
  body: businessBody,
  answers: {
    200: { about: "The profile as it is now", body: saidWith(businessView) },
    400: {
      about: "A field is invalid, or there is none",
      refusals: [
        new NothingToChange(NOTHING_TO_CHANGE),
        () => businessBody.support_phone.read("+1868", "support_phone"),
      ],
    },
  },
  run: ({ config }: BusinessContext, { body, once }, caller) =>
    once(async (tx) => {
      await changeBusiness(tx, caller, body);
      return ok({ data: await readBusiness(tx, config, caller.accountNumber) });
    }),
});

const setLogoRoute = protectedRoute({
  method: "POST",
  path: "/user/logo",
  group,
  summary: "Set the logo",
  about:
    "A bmp, gif, jpeg, png or svg of at most 5 MB and 25 million pixels. It is kept as a PNG in " +
    "its own proportions, inside 480 by 160 pixels, without metadata, under a new address.",
  access: changing("create"),
  limit: { name: "logo", per: "account" },
  upload: { field: "logo", bytesMax: FILE_BYTES_MAX },
  answers: {
    200: { about: "Replaced", body: saidOnly() },
    201: { about: "Added", body: saidOnly("Created") },
    400: {
      about: "No file, or one that is not taken",
      refusals: [
        new FieldRefused(required("logo"), { code: "field_required" }),
        MALFORMED,
        "The logo must be a file.",
        ...refusalsOf("logo"),
        `The logo may not be greater than ${FILE_BYTES_MAX / 1_048_576} MB.`,
        "The body may hold only one file.",
        "The body has a key that is not allowed.",
      ],
    },
  },
  async run(ctx: BusinessContext, { upload }, caller) {
    return (await setLogo(ctx, caller, upload)) ? created() : ok();
  },
});

const removeLogoRoute = protectedRoute({
  method: "DELETE",
  path: "/user/logo",
  group,
  summary: "Remove the logo",
  access: changing("delete"),
  limit: { name: "logo", per: "account" },
  answers: {
    200: { about: "Removed", body: saidOnly() },
    400: { about: "There is no logo", refusals: [new NoLogoExists()] },
  },
  run: (_ctx: BusinessContext, { once }, caller) =>
    once((tx) => removeLogo(tx, caller).then(() => ok())),
});

const serveLogoRoute = publicRoute({
  method: "GET",
  path: "/logos/{logo_id}",
  group,
  summary: "Show a logo",
  about: "The address is in the business profile, and changes with the logo.",
  params: {
    logo_id: described(text({ max: 64 }), "From the profile.", "9f2c5e1b7a3d4c68b0f1e2d3c4a5968f"),
  },
  answers: {
    200: {
      about: "The logo",
      contentType: "image/png",
      body: Type.String(),
      headers: ["Cache-Control"],
    },
    404: { about: "No logo has this address" },
  },
  run: ({ db }: BusinessContext, { params }) => serveLogo(db, params.logo_id),
});

export const businessRoutes: readonly Route<BusinessContext>[] = [
  readBusinessRoute,
  changeBusinessRoute,
  setLogoRoute,
  removeLogoRoute,
  serveLogoRoute,
];
