/** Settings of how often something may be asked; beyond it the answer is 429. */

import { integer, type Setting } from "./setting-kinds.ts";

export const LIMITS_DECLARED = {
  LIMIT_SIGN_IN: limit("5", "POST /auth/tokens per minute and address."),
  LIMIT_REFRESH: limit("5", "POST /auth/tokens/refresh per minute and address."),
  LIMIT_REVOKE: limit("5", "DELETE /auth/tokens per minute and address."),
  LIMIT_KEYS: limit("20", "API-key operations per minute and credential."),
  LIMIT_PASSWORD: limit(
    "5",
    "PATCH /user/password per minute and account; passwords set by a reset link per minute and " +
      "address.",
  ),
  LIMIT_PHONE: limit("5", "PATCH /user/phone per minute and account."),
  LIMIT_VERIFY: limit("5", "POST /trusted-cards/{uuid}/verify per minute and account."),
  LIMIT_PICTURE_CREATE: limit("5", "POST /user/picture per minute and account."),
  LIMIT_PICTURE_UPDATE: limit("5", "PATCH /user/picture per minute and account."),
  LIMIT_PICTURE_DELETE: limit("5", "DELETE /user/picture per minute and account."),
  LIMIT_BUSINESS: limit("20", "PATCH /user/business per minute and account."),
  LIMIT_LOGO: limit("5", "POST and DELETE /user/logo per minute and account."),
  LIMIT_PAYMENT_REQUEST: limit(
    "600",
    "POST /plugins/payments/request and /pay/{slug}, per minute and address.",
  ),
  LIMIT_PAYMENT_MERCHANT: limit(
    "6000",
    "The same per minute and merchant, wherever they come from.",
  ),
  LIMIT_BAD_CREDENTIALS: limit(
    "1000",
    "API keys and tokens that are not good, per minute and address; then 429 instead of 401.",
  ),
  LIMIT_GENERAL: limit(
    "1200",
    "Everything else per minute and credential, or address where there is none.",
  ),
};

function limit(preset: string, about: string): Setting<number> {
  return integer({ min: 1, max: 100_000_000, preset }, about);
}
