/** Errors about webhook endpoints. */

import type { ErrorEntry } from "./entry.ts";

export const WEBHOOK_ERRORS = {
  too_many_endpoints: {
    status: 409,
    title: "Too many webhook endpoints",
    statement: "The account has as many webhook endpoints as an account may have.",
    hint: "Delete an endpoint that is not used any more, or change one of them.",
    example: "An account can have at most 10 webhook endpoints. Delete one first.",
  },
  address_taken: {
    status: 409,
    title: "Endpoint exists",
    statement: "The account already has a webhook endpoint with this url.",
    hint: "Change the existing endpoint; GET /webhooks lists it.",
    example: "A webhook endpoint with this url already exists.",
    field: "url",
  },
  endpoint_disabled: {
    status: 409,
    title: "Endpoint disabled",
    statement: "Nothing is sent to a webhook endpoint that is disabled.",
    hint: "Enable it first: PATCH /webhooks/{id} with status enabled.",
    example: "The webhook endpoint is disabled. Enable it first.",
  },
  endpoint_being_disabled: {
    status: 409,
    title: "Endpoint still being disabled",
    statement: "Deliveries to the endpoint are still being stopped.",
    hint: "Send the same request again.",
    example: "The webhook endpoint is still being disabled. Try again in a moment.",
  },
} as const satisfies Record<string, ErrorEntry>;
