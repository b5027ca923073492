/**
 * Lets somebody sign in at `/operator` (Decision 0118): the first of them from a terminal. The
 * password is set by a link, or piped in; the second factor at the first sign-in.
 */

import { randomBase62 } from "../../../kit/secrets.ts";
import { addOperator as add, noteNewcomer } from "../../people/operators/operator.ts";
import { readPassword } from "../accounts/open-account.ts";
import { defineAction, personOf } from "../command.ts";
import { switchOption } from "../fields.ts";
import { linkFor } from "./link-for.ts";
import { emailField, nameField, roleField } from "./operator-fields.ts";

/** Nobody knows it: it is replaced by way of the link. */
const UNUSED_PASSWORD_LENGTH = 40;

export const addOperator = defineAction({
  name: "add-operator",
  right: "manage",
  about: "let somebody sign in at /operator",
  more:
    "A link is made by which they set their password: by mail where mail is set up, else shown " +
    "this once. With --password-stdin there is none. Their first sign-in sets up a second factor " +
    "before anything else opens. Somebody who was removed comes back without the factors of " +
    "before. Somebody who is added at /operator is no second person for a day.",
  fields: {
    email: emailField,
    name: nameField,
    role: roleField,
    password_stdin: switchOption("Read the password from the first line of what is piped in."),
  },
  subject: "email",
  example: {
    given: "anika@example.com --name Anika --role admin",
    shows: `anika@example.com is an operator, with the role admin.
A link to set the password, good until 2026-11-15 07:02:05Z, shown this once:
https://api.example.com/operator/password/Zk3v0T9yQ1mXc8LrWn5uBf2sHa7dEo4pGi6jKt0VxMw`,
    entry: 1,
  },
  async run(ctx, { email, name, role, password_stdin: isPiped }, act) {
    const piped = isPiped ? await readPassword(ctx, email) : undefined;
    const password = await ctx.passwords.digest(piped ?? randomBase62(UNUSED_PASSWORD_LENGTH));
    return act(async (tx, signature) => {
      await add(tx, { email, name, role, password });
      if (personOf(signature) !== undefined) await noteNewcomer(tx, email);
      const link =
        piped === undefined ? await linkFor(ctx.config, tx, email, "new_operator") : undefined;
      return {
        entry: { action: "operator_added", detail: { operator: email, role } },
        data: { email, role, ...link?.data },
        text: [`${email} is an operator, with the role ${role}.`, link?.text]
          .filter((line) => line !== undefined)
          .join("\n"),
      };
    });
  },
});
