/** Why something was not believed: `reason` is for programs and stays, the message for people. */

export type Reason =
  | "malformed_key"
  | "missing_expectation"
  | "malformed_total"
  | "missing_parameter"
  | "repeated_parameter"
  | "missing_signature"
  | "wrong_signature"
  | "missing_hash"
  | "unexpected_hash"
  | "wrong_hash"
  | "wrong_transaction"
  | "wrong_order"
  | "wrong_currency"
  | "missing_header"
  | "malformed_timestamp"
  | "too_old"
  | "too_new"
  | "malformed_body";

export class VerificationError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.name = "VerificationError";
    this.reason = reason;
  }
}
