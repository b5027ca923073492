/** Why an endpoint cannot be made, changed or sent to. */

import { fixedRefusal, ServiceError } from "../../kit/errors.ts";

export const ENDPOINTS_MAX = 10;

export class TooManyEndpoints extends ServiceError {
  constructor() {
    const most = `An account can have at most ${ENDPOINTS_MAX} webhook endpoints.`;
    super("too_many_endpoints", { message: `${most} Delete one first.` });
  }
}

export class AddressIsTaken extends fixedRefusal("address_taken") {}

export class EndpointIsDisabled extends fixedRefusal("endpoint_disabled") {}

/** What waited when it was disabled must not be sent once it is enabled. */
export class EndpointIsBeingDisabled extends fixedRefusal("endpoint_being_disabled", {
  headers: { "retry-after": "1" },
}) {}
