/**
 * The deprecated method of the payment request (Interface §2.4, Decision 0064): what existing shops
 * send for the full page, the name under which its use is counted, and what to send instead.
 */

export const LEGACY_METHOD = "credit_card";
export const LEGACY_METHOD_IS = "credit_card_co";

export const DEPRECATED_METHOD = {
  used: `method ${LEGACY_METHOD}`,
  now: `method ${LEGACY_METHOD_IS}`,
};
