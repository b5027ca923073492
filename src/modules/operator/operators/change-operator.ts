/** Changes what somebody of the operator may do, or helps them back in (Decision 0118). */

import { OperatorError } from "../../../kit/errors.ts";
import { optional } from "../../../kit/fields/field.ts";
import {
  changeOperatorRole,
  demandOperator,
  forgetFactors,
  noteNewcomer,
} from "../../people/operators/operator.ts";
import { defineAction, personOf } from "../command.ts";
import { switchOption } from "../fields.ts";
import { WrongUsage } from "../read-arguments.ts";
import { linkFor } from "./link-for.ts";
import { emailField, roleField } from "./operator-fields.ts";

export const changeOperator = defineAction({
  name: "change-operator",
  right: "manage",
  about: "change an operator's role, or help them back in",
  more:
    "Each ends their sessions. --new-password makes a link, by mail where mail is set up. After " +
    "--forget-factors their next sign-in sets up new ones: be sure who is asking. Somebody who " +
    "is changed at /operator is no second person for a day.",
  fields: {
    email: emailField,
    role: optional(roleField),
    new_password: switchOption("Make a link by which they set a new password."),
    forget_factors: switchOption("Remove their authenticator app and passkeys."),
  },
  subject: "email",
  example: {
    given: "anika@example.com --role finance",
    shows: "anika@example.com has the role finance, and is signed out.",
    entry: 2,
  },
  async run({ config }, { email, role, new_password: wantsLink, forget_factors: forgets }, act) {
    if (role === undefined && !wantsLink && !forgets)
      throw new WrongUsage(
        "change-operator needs one of --role, --new-password and --forget-factors.",
      );
    return act(async (tx, signature) => {
      const operator = await demandOperator(tx, email);
      if (operator.removed_at !== null) throw new OperatorError(`${email} was removed.`);
      if (role !== undefined) await changeOperatorRole(tx, operator, role);
      if (forgets) await forgetFactors(tx, operator.person_id);
      if (personOf(signature) !== undefined) await noteNewcomer(tx, email);
      const link = wantsLink
        ? await linkFor(config, tx, email, "operator_who_was_helped")
        : undefined;
      const lines = [
        role !== undefined && `${email} has the role ${role}, and is signed out.`,
        forgets && `${email} sets up a new second factor at the next sign-in.`,
        link?.text,
      ];
      return {
        entry: {
          action: "operator_changed",
          detail: { operator: email, ...(role && { role }), forget_factors: forgets },
        },
        data: { email, role: role ?? operator.role, ...link?.data },
        text: lines.filter((line) => typeof line === "string").join("\n"),
      };
    });
  },
});
