/**
 * What a new password must be beside its length and characters, which `newPasswordField` checks:
 * the same rules and sentences wherever one is set.
 */

import { FieldRefused, FieldsConflict } from "../../kit/errors.ts";

export const SAME_AS_OLD = "The new password must differ from the old password.";
export const SAME_AS_EMAIL = "The new password must not be the account's email.";
export const NOT_CONFIRMED = "The confirm password must match the new password.";

export interface NewPassword {
  readonly new_password: string;
  readonly confirm_password: string;
}

export function demandNewPassword({ email }: { readonly email: string }, sent: NewPassword): void {
  if (sent.new_password.toLowerCase() === email)
    throw new FieldRefused(SAME_AS_EMAIL, { field: "new_password" });
  if (sent.confirm_password !== sent.new_password)
    throw new FieldsConflict(NOT_CONFIRMED, "confirm_password");
}
