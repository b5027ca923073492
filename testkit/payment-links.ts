/** Payment links in tests: made through the API, opened and paid as a customer's browser does. */

import assert from "node:assert/strict";
import type { RequestOptions, TestService } from "./service.ts";

type Fields = Readonly<Record<string, unknown>>;
type Credential = Pick<RequestOptions, "token" | "key">;

/** What a link needs; a test adds what it is about. */
export const A_LINK = {
  environment: "sandbox",
  title: "Yoga class",
  currency: "TTD",
  amount: "120.00",
  fee_structure: "merchant_absorb",
};

/** Bounds in place of the amount, and so on: undefined leaves a field out. */
export function askForLink(service: TestService, who: Credential, fields: Fields = {}) {
  return service.request("/payment-links", {
    method: "POST",
    ...who,
    json: { ...A_LINK, ...fields },
  });
}

export async function makeLink(service: TestService, who: Credential, fields: Fields = {}) {
  const { status, body } = await askForLink(service, who, fields);
  assert.equal(status, 201, JSON.stringify(body));
  return body.data;
}

export async function readLink(service: TestService, who: Credential, id: string) {
  const { status, body } = await service.request(`/payment-links/${id}`, who);
  assert.equal(status, 200);
  return body.data;
}
