/**
 * The one 401: whatever is wrong with a credential, the caller hears the same; the log knows why.
 */

import { sentenceFor } from "../../infra/http/render-error.ts";
import { ServiceError } from "../../kit/errors.ts";

export const NO_CREDENTIAL = "no credential";

export class Unauthorized extends ServiceError {
  constructor(cause: string) {
    const challenge = 'Bearer realm="svc"';
    super({
      status: 401,
      code: "unauthorized",
      message: sentenceFor(401),
      headers: {
        "www-authenticate":
          cause === NO_CREDENTIAL ? challenge : `${challenge}, error="invalid_token"`,
      },
      cause,
    });
  }
}
