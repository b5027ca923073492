/** Why an endpoint cannot be made, changed or sent to. */

import { ServiceError } from "../../kit/errors.ts";

export const ENDPOINTS_MAX = 10;

export class TooManyEndpoints extends ServiceError {
  constructor() {
    super({
      status: 409,
      code: "too_many_endpoints",
      message: `An account can have at most ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`,
    });
  }
}

export class AddressIsTaken extends ServiceError {
  constructor(cause: unknown) {
    super({
      status: 409,
      code: "address_taken",
      message: "A webhook endpoint with this url already exists.",
      field: "url",
      cause,
    });
  }
}

export class EndpointIsDisabled extends ServiceError {
  constructor() {
    super({
      status: 409,
      code: "endpoint_disabled",
      message: "The webhook endpoint is disabled. Enable it first.",
    });
  }
}

/** What waited when it was disabled must not be sent once it is enabled. */
export class EndpointIsBeingDisabled extends ServiceError {
  constructor() {
    super({
      status: 409,
      code: "endpoint_being_disabled",
      message: "The webhook endpoint is still being disabled. Try again in a moment.",
      headers: { "retry-after": "1" },
    });
  }
}
