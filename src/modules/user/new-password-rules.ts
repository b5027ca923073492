/** What a new password must not be, for those who know the old one and those who have a link. */

import { FieldRefused, FieldsConflict } from "../../kit/errors.ts";
import type { SignInAccount } from "../accounts/account.ts";

export const SAME_AS_OLD = "The new password must differ from the old password.";
export const SAME_AS_EMAIL = "The new password must not be the account's email.";
export const NOT_CONFIRMED = "The confirm password must match the new password.";

/** Takes no hash. Its length and the kinds of its characters are judged by `newPasswordField`. */
export function demandNewPassword(
  { email }: Pick<SignInAccount, "email">,
  { newPassword, repeated }: { newPassword: string; repeated: string },
): void {
  if (newPassword.toLowerCase() === email)
    throw new FieldRefused(SAME_AS_EMAIL, { field: "new_password" });
  if (repeated !== newPassword) throw new FieldsConflict(NOT_CONFIRMED, "confirm_password");
}
