/**
 * The columns of every table, as the driver gives them.
 * Generated from the schema (npm run generate); a test compares it with the migrations.
 */

import {
  bigint,
  bool,
  bytes,
  int,
  json,
  nullable,
  text,
  texts,
  timestamp,
  uuid,
  word,
} from "./row.ts";

export const tables = {
  account_fees: {
    account_number: text,
    valid_from: timestamp,
    set_number: bigint,
    percentage_basis_points: nullable(int),
    /** In US dollars, charged in the payment's currency. */
    fixed_cents: nullable(int),
    set_at: timestamp,
  },
  account_limits: {
    account_number: text,
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    valid_from: timestamp,
    set_number: bigint,
    minimum_minor: nullable(bigint),
    maximum_minor: nullable(bigint),
    set_at: timestamp,
  },
  accounts: {
    account_number: text,
    account_type: word("PERSONAL", "BUSINESS"),
    country_code: word("BB", "GD", "GY", "JM", "TT"),
    email: text,
    first_name: text,
    last_name: text,
    phone: nullable(text),
    status: word("active", "frozen", "closed"),
    is_main_merchant: bool,
    verified_at: nullable(timestamp),
    /** The main merchant that made this account, if one did. */
    made_by: nullable(text),
    password_digest: text,
    /** Which pepper the password digest was made with. */
    pepper_id: text,
    /** Goes up with every password change; a sign-in made under an older epoch is dead. */
    credential_epoch: int,
    created_at: timestamp,
    closed_at: nullable(timestamp),
    /** What POST /auth/tokens asks of the holder. */
    api_sign_in: word("password", "password_and_code", "off"),
    /** Whether account_limits or account_fees has rows of it: others cost a payment request no lookup. */
    has_own_terms: bool,
    /** When the owner last set the password by a link that was mailed to the e-mail there is. Null: who made the account may know it, whatever the credential epoch. */
    password_chosen_at: nullable(timestamp),
  },
  api_keys: {
    kid: text,
    account_number: text,
    environment: word("live", "sandbox"),
    name: nullable(text),
    key_digest: bytes,
    pepper_id: text,
    scopes: texts,
    /** Empty: any address. */
    allowed_cidrs: texts,
    created_at: timestamp,
    expires_at: nullable(timestamp),
    revoked_at: nullable(timestamp),
    rotated_to: nullable(text),
    /** Written at most once a minute, not with every request. */
    last_used_at: nullable(timestamp),
  },
  approvals: {
    approval_id: uuid,
    command: text,
    /** As it was typed, by the names of the command's fields. */
    input: json<unknown>(),
    account_number: nullable(text),
    transaction_id: nullable(text),
    currency: text,
    amount_minor: bigint,
    asked_by: uuid,
    asked_from: json<unknown>(),
    why: text,
    asked_at: timestamp,
    expires_at: timestamp,
    state: word("waiting", "approved", "rejected", "refused", "expired"),
    /** A person's id, or the name that a terminal gave. */
    decided_by: nullable(text),
    decided_because: nullable(text),
    decided_at: nullable(timestamp),
    outcome: nullable(text),
  },
  audit_entries: {
    /** Drawn from one sequence, so it is of one entry in all partitions. */
    entry_id: bigint,
    happened_at: timestamp,
    action: text,
    /** No foreign key: attempts on accounts that do not exist are worth keeping too. */
    account_number: nullable(text),
    actor: text,
    detail: json<unknown>(),
  },
  businesses: {
    account_number: text,
    business_name: nullable(text),
    website: nullable(text),
    support_email: nullable(text),
    support_phone: nullable(text),
    accent_colour: nullable(text),
    time_zone: nullable(text),
    language: nullable(word("en", "es", "fr", "nl")),
    updated_at: timestamp,
  },
  card_charges: {
    transaction_id: text,
    card_uuid: uuid,
  },
  card_checks: {
    transaction_id: text,
    account_number: text,
    environment: word("live", "sandbox"),
    amount_minor: bigint,
    data: text,
    status: word("incomplete", "success", "failed", "error"),
    message: nullable(text),
    card_brand: nullable(text),
    card_last_four: nullable(text),
    card_uuid: nullable(uuid),
    given_last_four: nullable(text),
    exp_month: nullable(int),
    exp_year: nullable(int),
    holder: nullable(text),
    wrapped_with: nullable(text),
    key_box: nullable(bytes),
    /** The card that is being tried, sealed, until its bank has said yes or no: an answer may come to another process than the one that was given the card. The CVV is never written. */
    card_box: nullable(bytes),
    fingerprint: nullable(bytes),
    return_state: word("none", "due", "returned", "rejected"),
    /** What the gateway knows the return by. */
    return_reference: uuid,
    return_count: int,
    next_return_at: nullable(timestamp),
    returned_at: nullable(timestamp),
    created_at: timestamp,
    finalised_at: nullable(timestamp),
    sale_reference: nullable(uuid),
  },
  card_fingerprint_keys: {
    account_number: text,
    wrapped_with: text,
    key_box: bytes,
  },
  checkout_attempts: {
    attempt_id: uuid,
    transaction_id: text,
    number: int,
    /** submitted: the gateway is being told. challenged: the card's bank asks the customer. unknown: the answer was lost. void_due: approved after the result was told, to be undone. voided: undone. */
    state: word("submitted", "challenged", "unknown", "approved", "declined", "void_due", "voided"),
    card_brand: text,
    card_last_four: text,
    challenge_token: nullable(text),
    /** No longer written: the gateway keeps the document. To be dropped when no older version runs. */
    challenge_html: nullable(text),
    outcome_code: nullable(text),
    message: nullable(text),
    avs_answer: nullable(text),
    ask_count: int,
    next_ask_at: nullable(timestamp),
    leased_until: nullable(timestamp),
    began_at: timestamp,
    ended_at: nullable(timestamp),
    cvv_answer: nullable(word("M", "N")),
    /** Of the page on which the card was submitted, so that its receipt can be in the same. */
    language: nullable(word("en", "es", "fr", "nl")),
  },
  checkout_sessions: {
    transaction_id: text,
    purpose: word("payment", "card", "charge", "link"),
    token_key_id: text,
    token_digest: bytes,
    /** Tells whether the same order was asked for with the same words. */
    request_digest: bytes,
    response_url: text,
    is_avs: bool,
    card_type: nullable(word("visa", "mastercard")),
    state: word("open", "ended"),
    attempt_count: int,
    expires_at: timestamp,
    ended_at: nullable(timestamp),
    /** How many of its attempts no gateway would take, for a reason that is not the card's. */
    not_taken_count: int,
  },
  clock_shift: {
    only_row: bool,
  },
  console_guesses: {
    guess_id: uuid,
    email: text,
    address: text,
    guessed_at: timestamp,
    is_wrong: bool,
  },
  console_sessions: {
    session_id: uuid,
    token_digest: bytes,
    person_id: uuid,
    account_number: text,
    environment: word("live", "sandbox"),
    credential_epoch: int,
    /** "second_factor": the password was right and a code or a passkey is still to come. */
    stage: word("second_factor", "signed_in"),
    second_factor: nullable(word("passkey", "totp", "recovery_code")),
    /** Of the passkey ceremony that is under way. */
    challenge: nullable(text),
    challenged_at: nullable(timestamp),
    address: text,
    browser: text,
    created_at: timestamp,
    last_seen_at: timestamp,
    /** When the person last showed a password or a second factor. */
    proven_at: timestamp,
    ended_at: nullable(timestamp),
  },
  credential_version: {
    only_row: bool,
    version: uuid,
  },
  disputes: {
    dispute_id: uuid,
    transaction_id: text,
    kind: word("chargeback", "fraud"),
    amount_minor: bigint,
    /** What the merchant had of it; the rest is our loss when it is processed. */
    covered_minor: bigint,
    state: word("open", "processed", "released"),
    opened_at: timestamp,
    ended_at: nullable(timestamp),
  },
  erasure_positions: {
    place: text,
    passed_id: text,
  },
  event_feeds: {
    account_number: text,
    environment: text,
    last_sequence: bigint,
  },
  event_resends: {
    /** In the order of commits within one account and environment: drawn under a lock. It has gaps. */
    number: bigint,
    event_id: text,
    account_number: text,
    environment: word("live", "sandbox"),
    resent_at: timestamp,
  },
  events: {
    event_id: text,
    account_number: text,
    environment: word("live", "sandbox"),
    api_family: word("payments_api", "account_api"),
    event: text,
    /** What it happened to: events of one resource are delivered in order. */
    resource: text,
    occurred_at: timestamp,
    /** A test or a notice that goes to one webhook endpoint alone. */
    only_endpoint_id: nullable(uuid),
    /** The `data` of the body, as JSON text, until there is a body. */
    record: nullable(text),
    sequence: nullable(bigint),
    body: nullable(text),
  },
  events_to_number: {
    "position": bigint,
    event_id: text,
  },
  foreign_banks: {
    account_number: text,
    beneficiary_name: text,
    beneficiary_address: text,
    beneficiary_bank: text,
    bank_address: text,
    beneficiary_bank_swift_or_routing_code: text,
    intermediary_bank: nullable(text),
    intermediary_bank_address: nullable(text),
    intermediary_bank_swift_code: nullable(text),
    intermediary_bank_routing_number_or_aba: nullable(text),
    /** Sealed under a wrapping key and bound to its account and the word foreign. */
    number_sealed: bytes,
    number_last_four: text,
    wrapping_key_id: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
  former_uses: {
    account_number: text,
    name: text,
    /** The kid of an API key, which is no secret, token for a bearer token of any sign-in, or none where a request carries no credential. */
    credential: text,
    use_count: bigint,
    first_at: timestamp,
    last_at: timestamp,
  },
  gateway_orders: {
    reference: text,
    transaction_id: text,
    gateway: word("simulator", "powertranz"),
    ordered_at: timestamp,
  },
  gateway_routes: {
    route_id: bigint,
    country_code: nullable(text),
    currency: nullable(text),
    gateway: word("simulator", "powertranz"),
    valid_from: timestamp,
  },
  grants: {
    grant_id: uuid,
    account_number: text,
    scopes: texts,
    credential_epoch: int,
    created_at: timestamp,
    /** When the last refresh token of the family ends; then the row may go. */
    expires_at: timestamp,
    revoked_at: nullable(timestamp),
    revoked_because: nullable(word("revoked", "reuse")),
  },
  idempotency_keys: {
    account_number: text,
    environment: text,
    route: text,
    idempotency_key: text,
    fingerprint: bytes,
    status: int,
    content_type: text,
    /** What is told again, sealed under the pepper of the fingerprint and bound to the primary key. */
    body_box: bytes,
    created_at: timestamp,
  },
  invitations: {
    invitation_id: uuid,
    account_number: text,
    email: text,
    role: word("owner", "admin", "finance", "developer", "support", "viewer"),
    token_digest: bytes,
    invited_by: uuid,
    created_at: timestamp,
    expires_at: timestamp,
    accepted_at: nullable(timestamp),
    withdrawn_at: nullable(timestamp),
  },
  known_addresses: {
    account_number: text,
    address: text,
    seen_at: timestamp,
  },
  known_browsers: {
    person_id: uuid,
    browser_digest: bytes,
    seen_at: timestamp,
  },
  ledger_accounts: {
    ledger_account_id: bigint,
    environment: word("live", "sandbox"),
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    kind: word("available", "held", "gateway_clearing", "bank", "acquirer_fees", "fee_income", "tax", "payouts_in_transit", "card_checks", "opening_funds", "losses"),
    account_number: nullable(text),
    /** A house account is kept in ten rows, by the last digit of the merchant it deals with, so that merchants do not wait for one another. */
    stripe: nullable(int),
    name: text,
    is_of_the_house: bool,
    created_at: timestamp,
  },
  ledger_balances: {
    ledger_account_id: bigint,
    may_go_below_zero: bool,
    balance_minor: bigint,
    /** How many sides of transfers made this balance: the number of the last one. */
    entry_count: bigint,
  },
  ledger_postings: {
    environment: word("live", "sandbox"),
    posting_id: text,
    occasion: text,
    reference: text,
    posted_at: timestamp,
  },
  ledger_transfers: {
    environment: text,
    posting_id: text,
    leg: int,
    currency: text,
    amount_minor: bigint,
    debit_account_id: bigint,
    /** The number of this side in the chain of its account, debits and credits counted together. */
    debit_entry: bigint,
    /** The balance of the account after this side: the one before it, less the amount. */
    debit_balance_minor: bigint,
    credit_account_id: bigint,
    credit_entry: bigint,
    credit_balance_minor: bigint,
  },
  local_banks: {
    account_number: text,
    /** As the platform spells it. No reference: the banks of a platform are data of the program. */
    bank_name: text,
    name_in_bank: text,
    bank_account_type: nullable(word("chequing", "savings")),
    /** Only on platforms that ask for it, together with the kind of account. */
    bank_branch: nullable(text),
    /** Sealed under a wrapping key and bound to its account and the word local. */
    number_sealed: bytes,
    number_last_four: text,
    wrapping_key_id: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
  logged_requests: {
    request_id: uuid,
    account_number: text,
    /** any: of a bearer token, in a request that does not name one. */
    environment: word("live", "sandbox", "any"),
    at: timestamp,
    method: text,
    path: text,
    status: int,
    code: nullable(text),
    duration_ms: int,
    /** The kid of a key, or "grant" and the id of a sign-in. Null: a payment request without any. */
    credential: nullable(text),
    address: text,
    order_id: nullable(text),
    /** Without secrets, at most 4 kB; of what is no JSON only its type and size. */
    request_body: nullable(text),
    response_body: nullable(text),
    /** As JSON: the query, the headers that matter, and what the refusal said. Text, because nothing looks into it: jsonb would cost every line its parsing, and has no NUL. */
    detail: text,
  },
  logos: {
    account_number: text,
    /** Random, and new with every logo. */
    logo_id: text,
    width: int,
    height: int,
    /** A PNG of the sides beside it, without metadata. */
    bytes: bytes,
    updated_at: timestamp,
  },
  mail_bounces: {
    address: text,
    code: int,
    bounced_at: timestamp,
  },
  mails: {
    mail_id: uuid,
    /** What the mail is about, such as "password reset <id>"; a second one for it is not written. */
    reason: text,
    recipient: text,
    state: word("waiting", "sent", "bounced", "given_up"),
    attempt_count: int,
    /** While it is being sent: when its lease ends. */
    next_try_at: nullable(timestamp),
    content_key_id: nullable(text),
    /** Subject, text and HTML, sealed, because they may have a link that signs somebody in. Gone once the mail has ended; the mailbox of the development stage keeps the last ones. */
    content_box: nullable(bytes),
    created_at: timestamp,
    ended_at: nullable(timestamp),
  },
  member_refund_limits: {
    account_number: text,
    person_id: uuid,
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    limit_minor: bigint,
  },
  members: {
    account_number: text,
    person_id: uuid,
    role: word("owner", "admin", "finance", "developer", "support", "viewer"),
    created_at: timestamp,
    is_operator: bool,
  },
  notification_choices: {
    account_number: text,
    person_id: uuid,
    payments: nullable(word("none", "by_link", "all")),
    disputes: nullable(bool),
    withdrawals: nullable(bool),
    updated_at: timestamp,
  },
  notifications_due: {
    event_id: text,
    attempt_count: int,
    next_try_at: timestamp,
  },
  operator_forms: {
    form_key: uuid,
    person_id: uuid,
    said: text,
    done_at: timestamp,
  },
  operator_sessions: {
    session_id: uuid,
    token_digest: bytes,
    person_id: uuid,
    credential_epoch: int,
    /** "second_factor": the password was right and a code or a passkey is still to come. "set_up": there is none yet, and setting one up is all that opens. */
    stage: word("second_factor", "set_up", "signed_in"),
    second_factor: nullable(word("passkey", "totp", "recovery_code")),
    challenge: nullable(text),
    challenged_at: nullable(timestamp),
    address: text,
    browser: text,
    created_at: timestamp,
    last_seen_at: timestamp,
    proven_at: timestamp,
    ended_at: nullable(timestamp),
  },
  operators: {
    person_id: uuid,
    is_operator: bool,
    role: word("admin", "finance", "risk", "support"),
    created_at: timestamp,
    removed_at: nullable(timestamp),
    /** From when on they count where two are needed: a day after another made or changed them. */
    second_person_from: nullable(timestamp),
  },
  passkeys: {
    passkey_id: uuid,
    credential_id: text,
    person_id: uuid,
    name: text,
    public_key: bytes,
    sign_count: bigint,
    transports: texts,
    created_at: timestamp,
    last_used_at: nullable(timestamp),
  },
  payee_lists: {
    list_id: uuid,
    account_number: text,
    environment: word("live", "sandbox"),
    person_id: uuid,
    line_count: int,
    /** The checked lines, sealed and bound to list, account and environment: they have account and document numbers. Gone once they are paid, and with the list. */
    lines_box: nullable(bytes),
    wrapping_key_id: nullable(text),
    created_at: timestamp,
    paid_at: nullable(timestamp),
  },
  payment_failures: {
    account_number: text,
    environment: word("live", "sandbox"),
    span: word("quarter", "hour", "day", "month"),
    starts_at: timestamp,
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    code: text,
    failure_count: bigint,
    /** The result in words, of one of them. */
    message: text,
  },
  payment_keys: {
    account_number: text,
    environment: word("live", "sandbox"),
    sealed_with: text,
    hash_key_box: bytes,
    signing_secret_box: bytes,
    changed_at: timestamp,
    /** Whether a payment request of this account and environment is refused without a signature. */
    requires_signature: bool,
  },
  payment_link_months: {
    link_id: uuid,
    paid_count: int,
    paid_minor: bigint,
  },
  payment_link_slots: {
    transaction_id: text,
    link_id: uuid,
  },
  payment_links: {
    link_id: uuid,
    /** The last part of its address: random, 68 bits. */
    slug: text,
    account_number: text,
    environment: word("live", "sandbox"),
    title: text,
    /** The merchant's own, to group links by. Not shown. */
    label: nullable(text),
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    amount_minor: nullable(bigint),
    amount_min_minor: nullable(bigint),
    amount_max_minor: nullable(bigint),
    description: nullable(text),
    items: nullable(json<unknown>()),
    fee_structure: word("customer_pay", "merchant_absorb", "split"),
    max_payments: nullable(int),
    expires_at: nullable(timestamp),
    reference_label: nullable(text),
    success_message: nullable(text),
    success_url: nullable(text),
    language: nullable(word("en", "es", "fr", "nl")),
    is_active: bool,
    /** How many rows of payment_link_slots it has: payments that succeeded, and cards under way. */
    slots_taken: int,
    created_at: timestamp,
    changed_at: timestamp,
  },
  payout_batches: {
    batch_id: uuid,
    message_id: text,
    environment: word("live", "sandbox"),
    country_code: text,
    currency: text,
    payment_count: int,
    total_minor: bigint,
    file_sha256: bytes,
    file_sealed: bytes,
    wrapping_key_id: text,
    made_by: text,
    made_at: timestamp,
  },
  payouts: {
    transaction_id: text,
    number: int,
    batch_id: nullable(uuid),
    is_open: bool,
    /** Nothing is paid by it, and its money came back. */
    is_stopped: bool,
    ask_count: int,
    next_ask_at: nullable(timestamp),
    leased_until: nullable(timestamp),
    began_at: timestamp,
    ended_at: nullable(timestamp),
  },
  persons: {
    person_id: uuid,
    email: text,
    /** Null: the names of the account that the person holds. */
    full_name: nullable(text),
    holder_of: nullable(text),
    password_digest: nullable(text),
    pepper_id: nullable(text),
    /** Goes up with every new password; a session made under an older epoch is dead. */
    credential_epoch: int,
    created_at: timestamp,
    /** Signs in at /operator and is a member of no account; the same e-mail may be a member, too, as another person. */
    is_operator: bool,
  },
  pictures: {
    account_number: text,
    /** Random, and new with every picture: whoever knows it may see the picture. */
    picture_id: text,
    /** A PNG of 200 by 200 pixels without metadata. */
    bytes: bytes,
    created_at: timestamp,
    updated_at: timestamp,
  },
  powertranz_refunds: {
    reference: text,
    sale_reference: uuid,
    currency: text,
    amount_minor: bigint,
    state: word("sent", "not_found", "refunded", "rejected"),
    reason: nullable(text),
    sent_count: int,
    sent_at: timestamp,
    ended_at: nullable(timestamp),
    /** The TransactionIdentifier that the gateway gave it; null until it is known. */
    identifier: nullable(uuid),
  },
  powertranz_sales: {
    reference: uuid,
    transaction_id: text,
    /** The TransactionIdentifier. A sale that is sent anew takes a new one. */
    identifier: uuid,
    /** The id it was sent with: voids and refunds go with the same. */
    merchant_id: text,
    currency: text,
    amount_minor: bigint,
    state: word("starting", "prepared", "completing", "approved", "declined"),
    challenge_digest: nullable(text),
    sealed_with: nullable(text),
    /** The SpiToken and the document for the frame, sealed. */
    challenge_box: nullable(bytes),
    code: nullable(text),
    message: nullable(text),
    avs: nullable(word("M", "A", "Z", "N", "G")),
    cvv: nullable(word("M", "N")),
    began_at: timestamp,
    /** When the call that moves money was about to be sent. It is sent once. */
    sent_at: nullable(timestamp),
    ended_at: nullable(timestamp),
    /** When a void was last about to be sent: its answer may have been lost. */
    void_sent_at: nullable(timestamp),
    voided_at: nullable(timestamp),
    undo_due_at: nullable(timestamp),
  },
  production_use: {
    is_used: bool,
    began_at: timestamp,
  },
  rate_limit_windows: {
    window_key: text,
    used_at: timestamp,
  },
  receipts_due: {
    /** The transaction_id of a payment, the id of a refund. */
    record_id: text,
    kind: word("payment", "refund"),
    attempt_count: int,
    next_try_at: timestamp,
  },
  reconciliations: {
    job: text,
    checked_at: timestamp,
    counted: bigint,
    difference_count: bigint,
    differences: json<unknown>(),
  },
  recovery_codes: {
    person_id: uuid,
    code_digest: bytes,
    pepper_id: text,
    created_at: timestamp,
    used_at: nullable(timestamp),
  },
  refresh_tokens: {
    token_digest: bytes,
    pepper_id: text,
    grant_id: uuid,
    issued_at: timestamp,
    expires_at: timestamp,
    used_at: nullable(timestamp),
    successor_digest: nullable(bytes),
    /** The pair this token was exchanged for, sealed under a key made from the token itself: a client that lost the answer can have it again, the database alone cannot read it. */
    successor_sealed: nullable(bytes),
  },
  refunds: {
    refund_id: uuid,
    transaction_id: text,
    amount_minor: bigint,
    reason: nullable(text),
    /** requested: nobody outside was told. submitted: the gateway is being told, or was when a process died. unknown: its answer was lost. refunded, rejected: the end. */
    state: word("requested", "submitted", "unknown", "refunded", "rejected"),
    attempt_count: int,
    next_try_at: nullable(timestamp),
    /** A process is talking to the gateway, and will have stopped by then. */
    leased_until: nullable(timestamp),
    rejected_because: nullable(text),
    created_at: timestamp,
    ended_at: nullable(timestamp),
    /** An operator asked for it, for the merchant; `reason` is then what the merchant is to read. */
    is_by_operator: bool,
  },
  reset_links: {
    person_id: uuid,
    token_digest: bytes,
    /** Of the person when the link was made. A password that was changed since, or credentials that were ended, end the link as well. */
    credential_epoch: int,
    expires_at: timestamp,
  },
  saved_filters: {
    person_id: uuid,
    account_number: text,
    page: text,
    name: text,
    query: text,
    created_at: timestamp,
  },
  settlement_lines: {
    /** SHA-256 of what the line says: the same line is the same row, in whatever file it comes. */
    line_id: text,
    gateway: text,
    identifier: text,
    order_identifier: text,
    type: text,
    kind: word("sale", "refund", "other"),
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    amount_minor: bigint,
    fee_minor: bigint,
    /** A line that is matched or differs is in the books as the report says it; an unknown one is not. */
    state: word("matched", "differs", "unknown"),
    difference: nullable(text),
    /** Of a payment or a card check, so there is no foreign key. */
    transaction_id: nullable(text),
    account_number: nullable(text),
    /** The sale or refund at the gateway, as "sale <reference>" or "refund <reference>". */
    settles: nullable(text),
    imported_at: timestamp,
  },
  sign_in_failures: {
    account_number: text,
    failed_at: timestamp,
    address: text,
  },
  signing_keys: {
    kid: text,
    state: word("next", "current", "retired"),
    public_jwk: json<unknown>(),
    /** Sealed under a wrapping key and bound to its kid. */
    private_sealed: bytes,
    wrapping_key_id: text,
    created_at: timestamp,
    retired_at: nullable(timestamp),
  },
  simulator_payouts: {
    reference: text,
    currency: text,
    amount_minor: bigint,
    payee_digest: bytes,
    call_count: int,
    /** Null: a call came and was lost on the way, or the bank has stopped the payment. */
    outcome: nullable(word("paid", "rejected")),
    known_at: nullable(timestamp),
    done_at: nullable(timestamp),
    /** The bank has stopped it at this attempt: nothing is paid unless a later one comes. */
    held_at_attempt: nullable(int),
    held_until: nullable(timestamp),
  },
  simulator_refunds: {
    reference: text,
    transaction_id: text,
    currency: text,
    amount_minor: bigint,
    call_count: int,
    /** Null: a call came and was lost on the way, so the acquirer has never seen the reference. */
    outcome: nullable(word("refunded", "rejected")),
    /** Until then the acquirer says that it does not know yet. */
    known_at: nullable(timestamp),
    done_at: nullable(timestamp),
  },
  simulator_sales: {
    reference: text,
    transaction_id: text,
    currency: text,
    amount_minor: bigint,
    card_brand: text,
    card_last_four: text,
    call_count: int,
    avs: nullable(word("M", "A", "Z", "N", "G")),
    cvv: nullable(word("M", "N")),
    challenge_token: nullable(text),
    challenge_result: nullable(word("passed", "refused")),
    is_bank_silent: bool,
    sealed_with: nullable(text),
    /** Where the browser takes the answer of the card's bank, sealed: it opens a payment page. */
    return_url_box: nullable(bytes),
    /** Null: the card's bank is asking the customer, or the order came while the acquirer was down. */
    outcome: nullable(word("approved", "declined")),
    code: nullable(text),
    done_at: nullable(timestamp),
    /** Until then the acquirer says that it does not know yet. */
    known_at: nullable(timestamp),
    down_until: nullable(timestamp),
    voided_at: nullable(timestamp),
    /** The bank's page does not name the amount: its customer is to read it from the statement. */
    is_amount_secret: bool,
  },
  statement_mails: {
    account_number: text,
    person_id: uuid,
    created_at: timestamp,
  },
  statement_positions: {
    ledger_account_id: bigint,
    entry: bigint,
  },
  statement_sums: {
    account_number: text,
    environment: word("live", "sandbox"),
    span: word("quarter", "hour", "day", "month"),
    starts_at: timestamp,
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    occasion: text,
    entry_count: bigint,
    moved_minor: bigint,
    /** What the house kept of payments: what the customer paid is moved_minor and this. */
    fee_minor: bigint,
  },
  timeline_mark: {
    only_row: bool,
    timeline: text,
    mark: uuid,
  },
  totp_secrets: {
    person_id: uuid,
    secret_box: bytes,
    wrapping_key_id: text,
    confirmed_at: nullable(timestamp),
    /** The 30 seconds whose code was used last: no code is taken twice. */
    last_step: bigint,
    created_at: timestamp,
  },
  transaction_count_changes: {
    account_number: text,
    environment: text,
    hour: timestamp,
    status: text,
    currency: text,
    change: int,
    /** Of a payment that just failed or ended in an error: when; otherwise null. Its message likewise. */
    failed_at: nullable(timestamp),
    message: nullable(text),
  },
  transaction_counts: {
    account_number: text,
    environment: text,
    span: word("hour", "day", "month"),
    starts_at: timestamp,
    status: text,
    currency: text,
    /** May be below zero for a moment: changes are added up in any order. */
    transaction_count: bigint,
  },
  transactions: {
    transaction_id: text,
    account_number: text,
    environment: word("live", "sandbox"),
    country_code: word("BB", "GD", "GY", "JM", "TT"),
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    order_id: text,
    /** What the merchant asked for. The customer pays this and a share of the fee, the merchant gets this less a share of it. */
    total_minor: bigint,
    customer_total_minor: bigint,
    fee_minor: bigint,
    tax_minor: bigint,
    net_minor: bigint,
    /** Given back to the customer by refunds. */
    refunded_minor: bigint,
    fee_structure: word("customer_pay", "merchant_absorb", "split"),
    method: text,
    origin: nullable(text),
    status: word("incomplete", "success", "failed", "error"),
    status_desc: word("Normal", "Refund Requested", "Refunded", "Refund Rejected", "Chargeback Pending", "Chargeback Processed", "Fraud Confirmed"),
    message: nullable(text),
    card_brand: nullable(text),
    card_last_four: nullable(text),
    /** What the payment request says of the customer. An e-mail that it does not bring is added when the customer submits a card. */
    customer: json<unknown>(),
    /** The string that the merchant wants to see again, byte for byte. Nobody reads it. */
    data: text,
    /** Whole milliseconds, so that a program that knows no smaller ones can name a place in the list. */
    created_at: timestamp,
    finalised_at: nullable(timestamp),
    /** Asked to be given back, and neither given back nor rejected yet. */
    refund_pending_minor: bigint,
    /** Taken back by chargebacks and fraud, or held for a chargeback that is open. */
    disputed_minor: bigint,
    /** The attempt that paid, as the gateway knows it; null where it is not paid, or older than this. */
    sale_reference: nullable(uuid),
    avs_answer: nullable(word("M", "A", "Z", "N", "G")),
    cvv_answer: nullable(word("M", "N")),
    /** The customer's e-mail in small letters, to search by, from the result on: so its index is written once, and an e-mail that is added before changes no index. */
    result_email: nullable(text),
    /** Of the pages and mails to this customer; null where the request does not say. */
    language: nullable(word("en", "es", "fr", "nl")),
    description: nullable(text),
    /** What was ordered, as a list of {name, quantity, unit_price_minor}. A discount has a negative price. */
    items: nullable(json<unknown>()),
    /** The link it was asked for by, or null. */
    payment_link: nullable(uuid),
    /** What the customer typed into the field that the link's reference_label names. */
    link_reference: nullable(text),
  },
  trusted_cards: {
    card_uuid: uuid,
    transaction_id: text,
    account_number: text,
    environment: word("live", "sandbox"),
    card_type: word("visa", "mastercard"),
    last_four: text,
    exp_month: int,
    exp_year: int,
    holder: text,
    state: word("unverified", "verified", "deleted"),
    try_count: int,
    verify_expires_at: timestamp,
    verified_at: nullable(timestamp),
    deleted_at: nullable(timestamp),
    deleted_because: nullable(text),
    /** How often it has been sealed anew; bound into both boxes. */
    key_version: int,
    wrapped_with: nullable(text),
    key_box: nullable(bytes),
    card_box: nullable(bytes),
    /** Equal for equal numbers of one account, by a key of that account; stays over key rotation. Wrong amounts are counted by it. */
    fingerprint: nullable(bytes),
    created_at: timestamp,
  },
  webhook_attempts: {
    delivery_id: uuid,
    attempt: int,
    began_at: timestamp,
    duration_ms: nullable(int),
    response_status: nullable(int),
    response_head: nullable(text),
    failure: nullable(text),
  },
  webhook_deliveries: {
    delivery_id: uuid,
    endpoint_id: uuid,
    event_id: text,
    sequence: bigint,
    resource: text,
    state: word("waiting", "delivered", "failed", "cancelled"),
    attempt_count: int,
    /** Counts each time it was made due by somebody: an attempt that fails speaks for its own round. */
    round: int,
    /** Attempts that ended since it last began to wait: the schedule counts these, and none that was cut off. */
    round_attempt_count: int,
    due_at: nullable(timestamp),
    created_at: timestamp,
    ended_at: nullable(timestamp),
  },
  webhook_deliveries_to_make: {
    event_id: text,
    endpoint_id: uuid,
  },
  webhook_endpoints: {
    endpoint_id: uuid,
    account_number: text,
    environment: word("live", "sandbox"),
    url: text,
    events: nullable(texts),
    description: nullable(text),
    status: word("active", "disabled", "deleted"),
    /** asked: by the merchant. gone: it answered 410. failing: 120 hours of nothing but failure. */
    disabled_because: nullable(word("asked", "gone", "failing")),
    secret_key_id: text,
    secret_box: bytes,
    previous_secret_key_id: nullable(text),
    previous_secret_box: nullable(bytes),
    previous_secret_until: nullable(timestamp),
    /** The first failure after which nothing succeeded. */
    failing_since: nullable(timestamp),
    /** When its owner was told that it has been failing for a day. */
    warned_at: nullable(timestamp),
    /** When its earliest waiting delivery is due; null when none waits. */
    next_due_at: nullable(timestamp),
    /** Deliveries were added or made to wait again: whoever is about to let go of it looks once more. */
    wake_count: bigint,
    /** No attempt begins before: the pace of a healthy endpoint, the pause of one in trouble. */
    rests_until: nullable(timestamp),
    /** Fencing: a process that claimed it, slept and woke finds another number here. */
    claim_count: bigint,
    claimed_until: nullable(timestamp),
    /** Counts each other address and each enabling. What was answered in an earlier life says nothing about how it is doing now. */
    life: int,
    created_at: timestamp,
    changed_at: timestamp,
    /** Until simulated_until, deliveries are answered so instead of being sent. */
    simulated_receiver: nullable(word("ok", "error", "timeout", "gone")),
    simulated_until: nullable(timestamp),
  },
  withdrawals: {
    transaction_id: text,
    /** What the bank knows it by, in every try. */
    reference: uuid,
    account_number: text,
    environment: word("live", "sandbox"),
    country_code: word("BB", "GD", "GY", "JM", "TT"),
    withdrawal_type: word("normal", "sub_banked", "sub_unbanked"),
    currency: word("TTD", "USD", "BBD", "XCD", "JMD", "GYD"),
    amount_minor: bigint,
    fee_minor: bigint,
    status: word("pending", "processing", "held", "completed", "failed", "cancelled", "returned"),
    status_reason: nullable(text),
    data: text,
    bank_name: nullable(text),
    bank_account_last_four: nullable(text),
    bank_account_type: nullable(word("chequing", "savings")),
    bank_branch: nullable(text),
    name_in_bank: nullable(text),
    /** The other columns of foreign_banks, by their names. */
    foreign_bank: nullable(json<unknown>()),
    recipient_name: nullable(text),
    email: nullable(text),
    phone: nullable(text),
    id_type: nullable(word("driver_permit", "national_id", "passport")),
    id_number_last_four: nullable(text),
    /** The numbers of account and document as JSON, sealed under a wrapping key and bound to the id. */
    numbers_sealed: bytes,
    wrapping_key_id: text,
    /** Again only after the bank had stopped it. */
    payout_count: int,
    /** Until then its owner can surely think again. */
    dispatch_at: timestamp,
    created_at: timestamp,
    updated_at: timestamp,
    completed_at: nullable(timestamp),
    deleted_at: nullable(timestamp),
  },
};
