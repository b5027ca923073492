/**
 * Opens an account on any platform: also the first of a production service, where no account
 * exists yet that could make it (Decision 0031).
 */

import { FieldRefused } from "../../../kit/errors.ts";
import { withoutCardNumber } from "../../../kit/fields/card-number-inside.ts";
import { field, optional } from "../../../kit/fields/field.ts";
import { asText, email, line } from "../../../kit/fields/text.ts";
import { randomBase62 } from "../../../kit/secrets.ts";
import { COUNTRY_CODES } from "../../../kit/vocabulary.ts";
import { createAccount } from "../../accounts/create-account.ts";
import { newPasswordField } from "../../accounts/passwords.ts";
import { phoneField } from "../../platforms/phone.ts";
import { defineAction, type OperatorContext } from "../command.ts";
import { option, switchOption, wordOption } from "../fields.ts";

const NAME_LENGTH_MAX = 255;
const PASSWORD_GROUPS = 4;
const PASSWORD_GROUP_LENGTH = 6;

export const openAccount = defineAction({
  name: "open-account",
  right: "manage",
  about: "open an account on any platform",
  more:
    "It is not verified and no main merchant: verify-account and main-merchant say so. A " +
    "password is made and shown this once; its owner should change it. With --password-stdin " +
    "none is made.",
  fields: {
    email: option(withoutCardNumber(email()), "email", "What its owner signs in with."),
    first_name: option(
      withoutCardNumber(line(NAME_LENGTH_MAX)),
      "text",
      "Of its holder, as in the papers.",
    ),
    last_name: option(
      withoutCardNumber(line(NAME_LENGTH_MAX)),
      "text",
      "Of its holder, as in the papers.",
    ),
    type: wordOption(["BUSINESS", "PERSONAL"], "What kind it is."),
    country: wordOption(COUNTRY_CODES, "Its platform, for good."),
    phone: optional(
      option(
        field({ type: "string" }, asText),
        "number",
        "With its country's code, such as +18685550123.",
      ),
    ),
    password_stdin: switchOption("Read the password from the first line of what is piped in."),
  },
  example: {
    given:
      "--email shop@example.com --first-name Anika --last-name Mohammed --type BUSINESS " +
      "--country TT",
    shows: `Account 1234567890 is open.
Its password, shown this once: f3QzK9-Yw81Lm-0TnB4x-Zr6vHc`,
    entry: 1,
  },
  async run(ctx, input, act) {
    const phone =
      input.phone === undefined
        ? {}
        : { phone: phoneField(input.country).read(input.phone, "phone") };
    const piped = input.password_stdin ? await readPassword(ctx, input.email) : undefined;
    const password = piped ?? makePassword();
    // Before the tx: a hash takes as long as many statements.
    const digest = await ctx.passwords.digest(password);
    return act(async (tx) => {
      const accountNumber = await createAccount(tx, {
        accountType: input.type,
        countryCode: input.country,
        email: input.email,
        firstName: input.first_name,
        lastName: input.last_name,
        ...phone,
        password: digest,
      });
      const opened = `Account ${accountNumber} is open.`;
      return {
        entry: {
          action: "account_opened",
          accountNumber,
          detail: { account_type: input.type, country_code: input.country },
        },
        data: { account_number: accountNumber, ...(piped === undefined ? { password } : {}) },
        text:
          piped === undefined ? `${opened}\nIts password, shown this once: ${password}` : opened,
      };
    });
  },
});

export async function readPassword(ctx: OperatorContext, ofEmail: string): Promise<string> {
  const [first = ""] = (await ctx.readStdin()).split(/\r?\n/, 1);
  if (first === "") throw new FieldRefused("No password was piped in.");
  const password = newPasswordField(ctx.config.passwords).read(first, "password");
  if (password.toLowerCase() === ofEmail)
    throw new FieldRefused("The password must not be the account's email.");
  return password;
}

/** Groups that can be read aloud; drawn again until it has every kind that production asks for. */
function makePassword(): string {
  for (;;) {
    const groups = Array.from({ length: PASSWORD_GROUPS }, () =>
      randomBase62(PASSWORD_GROUP_LENGTH),
    );
    const password = groups.join("-");
    if ([/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(password))) return password;
  }
}
