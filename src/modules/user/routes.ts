/** The profile and what its owner changes; every route of this module except the picture's. */

import type { Config } from "../../infra/config.ts";
import { ok } from "../../infra/http/answer.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { FieldsConflict } from "../../kit/errors.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, field, optional } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import { saidOnly, saidWith } from "../../kit/response-schema.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { NOT_CONFIRMED, SAME_AS_EMAIL, SAME_AS_OLD } from "../accounts/new-password.ts";
import { newPasswordField, passwordField } from "../accounts/passwords.ts";
import { phoneField } from "../platforms/phone.ts";
import { bankRoutes } from "./bank-routes.ts";
import { changePassword, OldPasswordIncorrect } from "./change-password.ts";
import { changePhone } from "./change-phone.ts";
import { changing, reading, type UserContext } from "./context.ts";
import { profileView, readProfile } from "./read-profile.ts";

const group = "User";

const readProfileRoute = protectedRoute({
  method: "GET",
  path: "/user/",
  group,
  summary: "Read the profile",
  access: reading,
  query: {
    environment: described(
      optional(oneOf(ENVIRONMENTS)),
      "Whose balances. Absent: those of the API key, or live with a bearer token.",
      "sandbox",
    ),
  },
  answers: { 200: { about: "The profile", body: saidWith(profileView) } },
  async run(ctx: UserContext, { query }, caller) {
    return ok({ data: await readProfile(ctx, caller, query.environment) });
  },
});

function changePasswordRoute(config: Config["passwords"]) {
  return protectedRoute({
    method: "PATCH",
    path: "/user/password",
    group,
    summary: "Change the password",
    about: "Every other sign-in ends at once, wherever it is used. API keys stay.",
    access: changing("update"),
    limit: { name: "password", per: "account" },
    body: {
      old_password: described(passwordField, "The password that holds now.", "Sandbox-2026"),
      new_password: described(newPasswordField(config), "The one that shall hold.", "Sandbox-2027"),
      confirm_password: described(passwordField, "The new one again.", "Sandbox-2027"),
    },
    answers: {
      200: { about: "Changed, and all other sign-ins ended, on every process", body: saidOnly() },
      400: {
        about: "A field is invalid, or the old password is incorrect",
        refusals: [
          new OldPasswordIncorrect(""),
          new FieldsConflict(SAME_AS_OLD),
          SAME_AS_EMAIL,
          new FieldsConflict(NOT_CONFIRMED),
        ],
      },
    },
    async run(ctx: UserContext, { body, address }, caller) {
      await changePassword(ctx, caller, { ...body, address });
      return ok();
    },
  });
}

const changePhoneRoute = protectedRoute({
  method: "PATCH",
  path: "/user/phone",
  group,
  summary: "Change the phone",
  access: changing("update"),
  limit: { name: "phone", per: "account" },
  body: {
    phone: described(
      field({ type: "string" }, asText),
      "In E.164 form, and a valid number of the platform's country.",
      "+18686221234",
    ),
  },
  answers: {
    200: { about: "Changed", body: saidOnly() },
    400: {
      about: "No valid number of the platform's country",
      refusals: ["868", "+14155550123"].map((wrong) => () => phoneField("TT").read(wrong, "phone")),
    },
  },
  run: (_ctx: UserContext, { body, once }, caller) =>
    once((tx) => changePhone(tx, caller, body.phone).then(() => ok())),
});

/** Built from the settings, because production requires more of a password (Interface §8). */
export function userRoutes(config: Pick<Config, "passwords">): readonly Route<UserContext>[] {
  return [readProfileRoute, changePasswordRoute(config.passwords), changePhoneRoute, ...bankRoutes];
}
