/** Why a key can no longer be changed or rotated. */

import { ServiceError } from "../../kit/errors.ts";

export class KeyIsRevoked extends ServiceError {
  constructor() {
    super({ status: 409, code: "key_already_revoked", message: "The API key has been revoked." });
  }
}

export class KeyIsRotated extends ServiceError {
  constructor() {
    super({
      status: 409,
      code: "key_already_rotated",
      message: "The API key has already been rotated.",
    });
  }
}

export class KeyIsExpired extends ServiceError {
  constructor() {
    super({ status: 409, code: "key_already_expired", message: "The API key has expired." });
  }
}
