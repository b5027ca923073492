/** Who pays is not who is paid (Interface §2.4). */

import { ServiceError } from "../../../kit/errors.ts";

export class EmailIsTheMerchants extends ServiceError {
  constructor() {
    super({
      status: 400,
      code: "email_is_the_merchants",
      message: "The email must not be the merchant's own.",
      field: "email",
    });
  }
}
