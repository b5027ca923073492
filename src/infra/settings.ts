/**
 * The settings of the service as data: name, meaning, default. `.env.example` is made from this
 * list (`npm run generate`), and `config.ts` refuses to read a name that is not on it.
 */

export interface Setting {
  readonly name: string;
  readonly about: string;
  /**
   * What holds when the variable is absent or empty; undefined: nothing, or it depends on the
   * stage.
   */
  readonly default?: string;
  readonly example?: string;
}

export const SETTINGS: readonly Setting[] = [
  {
    name: "STAGE",
    about:
      "development seeds a demo world and derives its secrets; production seeds nothing and " +
      "demands every secret.",
    default: "development",
  },
  {
    name: "HOST",
    about: "The address to listen on; localhost means all of its addresses.",
    default: "127.0.0.1",
  },
  { name: "PORT", about: "The port to listen on; 0 takes a free one.", default: "3000" },
  {
    name: "PUBLIC_URL",
    about: "The address callers use; it goes into links and tokens. Without it: HOST and PORT.",
    example: "https://api.example.com",
  },
  {
    name: "PAYMENTS_PUBLIC_URL",
    about: "The base of the payment request and the hosted page, where it differs from PUBLIC_URL.",
    example: "https://pay.example.com",
  },
  {
    name: "ALLOWED_HOSTS",
    about:
      "Further Host headers to answer, separated by commas. Those of the two addresses above " +
      "and loopback names are always answered; a lone * answers every host.",
    example: "api.internal.example.com",
  },
  {
    name: "REQUESTS_AT_ONCE_MAX",
    about:
      "How many requests a process is at work on at once; more get a 503 before anything is done " +
      "for them. Payment pages are served up to twice this number.",
    default: "256",
  },
  {
    name: "TRUSTED_PROXIES",
    about:
      "Address ranges of proxies whose X-Forwarded-For is believed, separated by commas. " +
      "Without it the client is whoever opened the socket.",
    example: "10.0.0.0/8,fd00::/8",
  },
  {
    name: "DATABASE_URL",
    about:
      "A PostgreSQL 15 or later; over a network with ?sslmode=verify-full&sslrootcert=<file>. " +
      "Without it an embedded PostgreSQL is started (development).",
    example: "postgres://windward:secret@db.example.com:5432/windward",
  },
  {
    name: "DATA_DIR",
    about: "Where the embedded PostgreSQL keeps its data.",
    default: "./.data",
  },
  {
    name: "DATABASE_CONNECTIONS_MAX",
    about:
      "Database connections of each process, and up to 6 more of one that works in the " +
      "background; a request that finds none within 2 s gets a 503.",
    default: "10",
  },
  { name: "WORKERS", about: "How many processes serve and work.", default: "1" },
  {
    name: "ROLE",
    about: "web answers requests, worker runs background jobs, all does both.",
    default: "all",
  },
  {
    name: "LOG_LEVEL",
    about:
      "fatal, error, warn, info, debug, trace or silent. Without it: info in production, warn " +
      "in development.",
  },
  {
    name: "LIVE_GATEWAY",
    about:
      "The acquirer of live payments: simulator, or none, which refuses what needs one. Without " +
      "it: simulator in development. Production takes none only, until there is a real one.",
  },
  {
    name: "LIVE_PAYOUTS",
    about:
      "Who pays live withdrawals: simulator, a simulated bank, or files, which an operator makes " +
      "and carries to the bank. Without it: simulator in development. Production takes files only.",
  },
  {
    name: "WITHDRAWALS_PER_DAY_MAX",
    about: "How many withdrawals an account may ask for in 24 hours, in each environment.",
    default: "1000",
  },
  {
    name: "PAYOUT_ACCOUNTS",
    about:
      "Our own bank accounts that live withdrawals are paid from, as " +
      "platform:currency:account:SWIFT:name, separated by commas. Without it: made-up ones in " +
      "development; in production no bank file is made.",
    example: "TT:TTD:0012345678:FCTTTTPS:Windward Limited",
  },
  {
    name: "DECLINES_PER_ADDRESS_MAX",
    about: "Cards declined in an hour after which one address may try no more.",
    default: "20",
  },
  {
    name: "DECLINES_PER_BIN_MAX",
    about:
      "The same for cards with the same first six digits, at one merchant: the sign of somebody " +
      "who makes up numbers. Of one address a fifth of it counts, at least 3 and at most half, " +
      "so that no address reaches it alone.",
    default: "20",
  },
  {
    name: "DECLINES_PER_CARD_MAX",
    about: "The same for one saved card, whose security code somebody may be trying to find.",
    default: "5",
  },
  {
    name: "DECLINES_PER_MERCHANT_MAX",
    about: "The same for all cards at one merchant.",
    default: "300",
  },
  {
    name: "WEBHOOK_PRIVATE_TARGETS",
    about:
      "Whether webhooks may lead to loopback and private addresses, over http and any port: " +
      "allow or refuse. Without it: allow in development. Production takes refuse only.",
  },
  {
    name: "ACCEPT_LEGACY_METHOD",
    about:
      "Whether payment requests with the deprecated method credit_card are taken as " +
      "credit_card_co. false refuses them.",
    default: "true",
  },
  {
    name: "PLAIN_LIVE_RESPONSES",
    about:
      "Whether the response_url of a live payment may begin with http://. Without it: true in " +
      "development.",
  },
  {
    name: "METRICS_HOST",
    about: "The address that METRICS_PORT listens on.",
    default: "127.0.0.1",
  },
  {
    name: "METRICS_PORT",
    about:
      "A port of its own for GET /metrics. Without it: 9464 in production; in " +
      "development metrics are on the public port.",
  },
  {
    name: "DRAIN_SECONDS",
    about: "How long a stopping process waits for requests and jobs under way.",
    default: "20",
  },
  {
    name: "OVERLOAD_LOOP_DELAY_MS",
    about:
      "Requests get a 503 while the event loop is late by more than this in one turn of ten; 0 " +
      "switches it off. Without it: 200 in production, 2000 in development, where a laptop is " +
      "busy with other things, too.",
  },
  {
    name: "PASSWORD_PEPPERS",
    about:
      "Keyring mixed into password digests, as id:base64 of 32 bytes " +
      "(openssl rand -base64 32); several separated by " +
      "commas, the first is current.",
    example: "2026a:bm90LWEtcmVhbC1rZXktanVzdC0zMi1ieXRlcy1sb24=",
  },
  {
    name: "TOKEN_PEPPERS",
    about:
      "Keyring under which refresh tokens and API keys are digested, and answers sealed that are " +
      "kept for an Idempotency-Key; same form.",
  },
  {
    name: "WRAPPING_KEYS",
    about:
      "Keyring that seals what the database must keep but not reveal, such as signing keys; " +
      "same form.",
  },
  {
    name: "PASSWORD_HASHING",
    about:
      "standard, or floor: the least that is acceptable, for tests. Production takes standard " +
      "only.",
    default: "standard",
  },
  {
    name: "PASSWORD_COMPLEXITY",
    about:
      "Whether new passwords need lower and upper case, a digit and a special character. " +
      "Without it: true in production.",
  },
  {
    name: "SIGN_IN_FAILURES_MAX",
    about:
      "Failed sign-ins to one account within 30 minutes after which addresses it never signed " +
      "in from are refused; 0 switches it off. Without it: 10 in production.",
  },
  { name: "LIMIT_SIGN_IN", about: "POST /auth/tokens per minute and address.", default: "5" },
  {
    name: "LIMIT_REFRESH",
    about: "POST /auth/tokens/refresh per minute and address.",
    default: "5",
  },
  { name: "LIMIT_REVOKE", about: "DELETE /auth/tokens per minute and address.", default: "5" },
  { name: "LIMIT_KEYS", about: "API-key operations per minute and credential.", default: "20" },
  {
    name: "LIMIT_PASSWORD",
    about:
      "PATCH /user/password per minute and account; passwords set by a reset link per minute and " +
      "address.",
    default: "5",
  },
  { name: "LIMIT_PHONE", about: "PATCH /user/phone per minute and account.", default: "5" },
  {
    name: "LIMIT_VERIFY",
    about: "POST /trusted-cards/{uuid}/verify per minute and account.",
    default: "5",
  },
  {
    name: "LIMIT_PICTURE_CREATE",
    about: "POST /user/picture per minute and account.",
    default: "5",
  },
  {
    name: "LIMIT_PICTURE_UPDATE",
    about: "PATCH /user/picture per minute and account.",
    default: "5",
  },
  {
    name: "LIMIT_PICTURE_DELETE",
    about: "DELETE /user/picture per minute and account.",
    default: "5",
  },
  {
    name: "LIMIT_PAYMENT_REQUEST",
    about: "POST /plugins/payments/request per minute and address.",
    default: "600",
  },
  {
    name: "LIMIT_PAYMENT_MERCHANT",
    about: "The same per minute and merchant, wherever they come from.",
    default: "6000",
  },
  {
    name: "LIMIT_BAD_CREDENTIALS",
    about:
      "API keys and tokens that are not good, per minute and address; then 429 instead of 401.",
    default: "1000",
  },
  {
    name: "LIMIT_GENERAL",
    about: "Everything else per minute and credential, or address where there is none.",
    default: "1200",
  },
];
