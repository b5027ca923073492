/** An e-mail belongs to one account, open or closed; the constraint is the rule (Decision 0022). */

import { onConstraint } from "../../infra/db/database-errors.ts";
import { ServiceError } from "../../kit/errors.ts";

export class EmailTaken extends ServiceError {
  constructor(cause: unknown) {
    super({
      status: 409,
      code: "email_taken",
      message: "The email has already been taken.",
      field: "email",
      cause,
    });
  }
}

export function refuseTakenEmail<T>(work: Promise<T>): Promise<T> {
  return onConstraint({ email_belongs_to_one_account: (cause) => new EmailTaken(cause) }, work);
}
