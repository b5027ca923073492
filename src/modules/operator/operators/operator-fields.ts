/** Options of commands about operators themselves. */

import { email, line } from "../../../kit/fields/text.ts";
import { OPERATOR_ROLES } from "../../../kit/operator-roles.ts";
import { option, wordOption } from "../fields.ts";

const NAME_LENGTH_MAX = 100;

export const emailField = option(email(), "email", "What they sign in with at /operator.");
export const nameField = option(line(NAME_LENGTH_MAX), "text", "As others know them.");
export const roleField = wordOption(OPERATOR_ROLES, "What they may do.");
