/**
 * Tables of accounts and of people who act for them: who is calling, what they may do, and what
 * they have typed about themselves.
 */

import {
  everywhere,
  GRANT,
  ofAccount,
  ofAccountOrNobody,
  ofEachPart,
  ofFirstPart,
  ofPerson,
  type Places,
  through,
} from "./place.ts";

const FOUND_BY_SECRET = "found by a secret alone, which must name the account or part";
const A_PERSON = "shared: a person may act for accounts of several parts; reference table";

export const PLACES_OF_PEOPLE: Places = {
  accounts: ofAccount(
    "global: the e-mail; made_by leads to another account: the two stay together",
  ),
  account_fees: ofAccount(),
  account_limits: ofAccount(),
  businesses: ofAccount(),
  logos: ofAccount("shown by a random address that names no account"),
  pictures: ofAccount("shown by a random address that names no account"),
  local_banks: ofAccount(),
  foreign_banks: ofAccount(),
  payment_keys: ofAccount(),
  idempotency_keys: ofAccount(),
  known_addresses: ofAccount(),
  sign_in_failures: ofAccount(),
  former_uses: ofAccount(),
  api_keys: ofAccount(`key with the account; ${FOUND_BY_SECRET}`),
  grants: ofAccount(`key with the account; ${FOUND_BY_SECRET}`),
  refresh_tokens: through("grant_id", [GRANT], `column; ${FOUND_BY_SECRET}`),
  invitations: ofAccount(FOUND_BY_SECRET),
  members: ofAccount("persons as reference table"),
  member_refund_limits: ofAccount(),
  saved_filters: ofAccount("account first in its key"),
  statement_mails: ofAccount(),
  notification_choices: ofAccount(),
  console_sessions: ofAccount(`moves when its person changes accounts; ${FOUND_BY_SECRET}`),
  persons: ofPerson(`global: the e-mail; ${A_PERSON}`),
  passkeys: ofPerson(A_PERSON),
  totp_secrets: ofPerson(`${A_PERSON}; written with each code`),
  recovery_codes: ofPerson(A_PERSON),
  reset_links: ofPerson(A_PERSON),
  known_browsers: ofPerson(A_PERSON),
  operators: everywhere("reference table"),
  operator_sessions: ofFirstPart("local table beside the accounts: operators act on all parts"),
  operator_forms: ofFirstPart("local table beside the accounts"),
  approvals: ofAccountOrNobody("local table beside the accounts; unique by what is asked"),
  audit_entries: ofAccountOrNobody(
    "key with the account; attempts on accounts that do not exist need a place; by month",
  ),
  console_guesses: ofFirstPart("shared: counted by e-mail and address, whatever the account"),
  rate_limit_windows: ofEachPart("hot and shared: an address is limited over all accounts"),
  credential_version: ofEachPart(
    "hot and shared: one row, written by each change of any credential; one for each part",
  ),
  signing_keys: everywhere("reference table: a token is verified in every part"),
};
