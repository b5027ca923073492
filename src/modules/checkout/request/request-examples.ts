/** Payment requests to show: what one needs, what more it may say, and one that is signed. */

import type { RequestExample } from "../../../infra/http/route.ts";
import { exampleOfFields } from "../../../kit/fields/example.ts";
import { formSignature } from "../result/form-signature.ts";
import type { Parameter } from "../result/merge-into-url.ts";
import { SANDBOX_KEYS } from "../result/payment-keys.ts";
import type { requestFields } from "./request-fields.ts";

export function requestExamples(
  fields: ReturnType<typeof requestFields>,
): Record<string, RequestExample> {
  const required = Object.entries(fields).flatMap(([name, one]) => (one.required ? [name] : []));
  const whole = Object.keys(fields).filter((name) => name !== "name" && name !== "signature");
  const signed = { ...exampleOfFields(fields, required), order_id: "order-3" };
  return {
    smallest: { about: "All that a request needs", body: exampleOfFields(fields, required) },
    whole: {
      about: "All that a request may say",
      body: { ...exampleOfFields(fields, whole), order_id: "order-2", method: "3co_simple" },
    },
    signed: {
      about: "Signed with the signing secret of the sandbox account, sandbox-signing-secret",
      body: { ...signed, signature: exampleSignature(signed) },
    },
  };
}

function exampleSignature(body: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(body).map(([name, value]): Parameter => [name, String(value)]);
  return formSignature(parameters, SANDBOX_KEYS.signingSecret).toString("hex");
}
