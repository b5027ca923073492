/**
 * Accounts that a main merchant makes and manages (Interface §4.5, Decision 0022). Only main
 * merchants can hold these scopes; they lose them with the next request after their rights end
 * (Decision 0010).
 */

import type { Config } from "../../infra/config.ts";
import { created, ok } from "../../infra/http/answer.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { FieldsConflict, Forbidden, NothingToChange } from "../../kit/errors.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, eachOptional, field, optional, withDefault } from "../../kit/fields/field.ts";
import { asText, email, line } from "../../kit/fields/text.ts";
import { EXAMPLE, saidOnly, saidWith, textSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { phoneField } from "../platforms/phone.ts";
import {
  changeAccount,
  NOTHING_TO_CHANGE,
  OwnEmailStays,
  OwnersEmailStays,
} from "./change-account.ts";
import { AccountMustStayOpen, closeAccount, OwnAccountStays } from "./close-account.ts";
import type { AccountsContext } from "./context.ts";
import { EmailTaken, makeAccount } from "./create-account.ts";
import { AccountIsFrozen, findManaged, managedView, viewManaged } from "./managed-account.ts";
import { newPasswordField } from "./passwords.ts";

const NAME_LENGTH_MAX = 255;

const emailField = described(
  withoutCardNumber(email()),
  "What its owner signs in with.",
  "shop@example.com",
);
const nameField = (example: string) =>
  described(
    withoutCardNumber(line(NAME_LENGTH_MAX)),
    "One line, something readable in it.",
    example,
  );
const nameFields = { first_name: nameField("Anika"), last_name: nameField("Mohammed") };
/** Only text here: which numbers are valid depends on the platform, and this field comes last. */
const phoneText = described(
  field({ type: "string" }, asText),
  "E.164, a valid number of the platform's country.",
  "+18686235555",
);
/** Any text: what is not an account number is a 404 like any unknown one. */
const params = {
  account_number: described(
    field({ type: "string" }, asText),
    "Ten digits: the caller's own account, or one that it made.",
    EXAMPLE.accountNumber,
  ),
};

/** Refusals that depend on the platform. */
const unfitPhones = ["868", "+14155550123"].map(
  (wrong) => () => phoneField("TT").read(wrong, "phone"),
);
const PASSWORD_IS_EMAIL = "The password must not be the account's email.";

const group = "Accounts";
const one = { group, path: "/accounts/{account_number}", params } as const;
const changing = (action: "create" | "update" | "delete") =>
  ({ credentials: "either", changes: "shared", anyScope: scopes("accounts", action) }) as const;
const newNumber = textSchema("Of the new account.", "6789012345");
const oneAccount = saidWith(managedView);
const noLonger = {
  about: "The credential lacks the scope, or the account is no main merchant any more",
  refusals: [new Forbidden()],
};
const unknown = { about: "Neither the caller's own account nor one it made, or deleted" };

function createAccountRoute(config: Config["passwords"]) {
  return protectedRoute({
    group,
    method: "POST",
    path: "/accounts",
    summary: "Make an account",
    about: "It is on its maker's platform, and neither verified nor a main merchant.",
    access: changing("create"),
    idempotent: true,
    body: {
      email: emailField,
      password: described(newPasswordField(config), "At least 8 characters.", "Sandbox-2026"),
      ...nameFields,
      account_type: described(
        withDefault(oneOf(["PERSONAL", "BUSINESS"]), "PERSONAL"),
        "Only a BUSINESS takes payments.",
        "BUSINESS",
      ),
      phone: optional(phoneText),
    },
    answers: {
      201: {
        about: "Its number",
        body: saidWith(Type.Object({ account_number: newNumber }), "Created"),
      },
      400: {
        about: "A field is malformed, or no number of the platform's country",
        refusals: [new FieldsConflict(PASSWORD_IS_EMAIL), ...unfitPhones],
      },
      403: noLonger,
      409: {
        about: "The email is taken, or the same Idempotency-Key is still running",
        refusals: [new EmailTaken("")],
      },
    },
    async run(ctx: AccountsContext, { body, once }, caller) {
      if (body.password.toLowerCase() === body.email)
        throw new FieldsConflict(PASSWORD_IS_EMAIL, "password");
      const phone = body.phone && phoneField(caller.countryCode).read(body.phone, "phone");
      // Before the tx: a hash takes as long as many statements, and only a few are made at a time.
      const password = await ctx.passwords.digest(body.password);
      return once(async (tx) => {
        const accountNumber = await makeAccount(ctx, tx, caller, {
          accountType: body.account_type,
          email: body.email,
          firstName: body.first_name,
          lastName: body.last_name,
          phone,
          password,
        });
        return created({ data: { account_number: accountNumber } });
      });
    },
  });
}

const readAccountRoute = protectedRoute({
  ...one,
  method: "GET",
  summary: "Read an account",
  access: { credentials: "either", anyScope: scopes("accounts", "retrieve") },
  answers: { 200: { about: "The account", body: oneAccount }, 404: unknown },
  async run(ctx: AccountsContext, call, caller) {
    return ok({ data: viewManaged(await findManaged(ctx.db, caller, call.params.account_number)) });
  },
});

const changeAccountRoute = protectedRoute({
  ...one,
  method: "PATCH",
  summary: "Change an account's e-mail, names or phone",
  about:
    "At least one of them. What else is sent is ignored. Another e-mail of the caller's own " +
    "account needs a token with `svc-user-update`; owners and the old e-mail are told.",
  access: changing("update"),
  body: eachOptional({ email: emailField, ...nameFields, phone: phoneText }),
  answers: {
    200: { about: "The account as it is now", body: oneAccount },
    404: unknown,
    400: {
      about: "A field is malformed, or none was given",
      refusals: [new NothingToChange(NOTHING_TO_CHANGE), ...unfitPhones],
    },
    403: {
      about: `${noLonger.about}; or it is the e-mail of its own`,
      refusals: [...noLonger.refusals, new OwnEmailStays()],
    },
    409: {
      about: "The email is taken or its owner's own by now, or the account is frozen",
      refusals: [new EmailTaken(""), new OwnersEmailStays(), new AccountIsFrozen()],
    },
  },
  run: (ctx: AccountsContext, { params: { account_number }, body, once }, caller) =>
    once(async (tx) =>
      ok({ data: viewManaged(await changeAccount(ctx, tx, caller, account_number, body)) }),
    ),
});

function closeAccountRoute(staysOpen: readonly string[]) {
  return protectedRoute({
    ...one,
    method: "DELETE",
    summary: "Delete an account",
    about:
      "It is closed for good: sign-ins, tokens and keys end at once, and its e-mail stays taken.",
    access: changing("delete"),
    answers: {
      200: { about: "Closed, on every process", body: saidOnly() },
      403: {
        about: "The credential lacks the scope, or the account is the caller's own",
        refusals: [new OwnAccountStays(), new Forbidden()],
      },
      404: unknown,
      409: {
        about: "A balance, a hold or an open payment remains, or the account is frozen",
        refusals: [new AccountIsFrozen(), ...staysOpen.map((why) => new AccountMustStayOpen(why))],
      },
    },
    run: (ctx: AccountsContext, { params: { account_number }, once }, caller) =>
      once((tx) => closeAccount(ctx, tx, caller, account_number).then(() => ok())),
  });
}

/**
 * Built from the settings, because production requires more of a password (Interface §8), and from
 * the reasons that later modules have for keeping an account open.
 */
export function accountRoutes(
  config: Pick<Config, "passwords">,
  staysOpen: readonly string[],
): readonly Route<AccountsContext>[] {
  return [
    createAccountRoute(config.passwords),
    readAccountRoute,
    changeAccountRoute,
    closeAccountRoute(staysOpen),
  ];
}
