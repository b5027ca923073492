/**
 * Payment requests with the signatures that they must have, under `sandbox-signing-secret`. Fixed:
 * they were computed by Python's own modules and never by the code that is tested with them. The
 * SDKs of all languages are tested with them (Decision 0112); those for the guide stand in
 * docs/verify.md, too.
 */

import { vectorsOf } from "../vectors.ts";

export const VECTOR_SECRET = "sandbox-signing-secret";

export interface RequestVector {
  readonly about: string;
  readonly inGuide: boolean;
  readonly type: "form" | "json";
  /** Without the signature. */
  readonly body: string;
  readonly text: string;
  readonly signature: string;
}

export const REQUEST_VECTORS = vectorsOf<RequestVector>("payment-requests");
export const GUIDE_VECTORS = REQUEST_VECTORS.filter(({ inGuide }) => inGuide);
