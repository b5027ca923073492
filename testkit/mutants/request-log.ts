/** Bugs in the request log: of somebody else, with secrets, twice, or in the way of requests. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const LOG = "src/modules/request-log";

export const requestLogMutants: readonly Mutant[] = [
  {
    name: "logged-request-of-another-account",
    breaks: "who knows the id of a request reads what another merchant sent",
    change: {
      file: `${LOG}/read-request.ts`,
      find: "where request_id = ${requestId} and account_number = ${accountNumber}",
      replace: "where request_id = ${requestId} and ${accountNumber}::text <> ''",
    },
    caughtBy: ["test/api/request-log/read.test.ts"],
  },
  {
    name: "logged-request-of-live-by-a-test-key",
    breaks: "a key of the sandbox reads live requests, with the customers in them",
    change: {
      file: `${LOG}/read-request.ts`,
      find: "if (environment !== undefined && row.environment !== environment)",
      replace: "if (environment !== undefined && row.environment === undefined)",
    },
    caughtBy: ["test/api/request-log/read.test.ts"],
  },
  {
    name: "body-logged-with-its-secrets",
    breaks: "a password stays in the log for a week",
    change: {
      file: `${LOG}/line-texts.ts`,
      find: "return scrub(scrubFields(text)).replace(PAGE_TOKEN",
      replace: "return scrub(text).replace(PAGE_TOKEN",
    },
    caughtBy: ["test/api/request-log/secrets.test.ts"],
  },
  {
    name: "receipt-address-logged",
    breaks: "who reads the log opens the receipts of customers",
    change: {
      file: `${LOG}/line-texts.ts`,
      find: "(?:checkout|reset|invite|acs|receipts)",
      replace: "(?:checkout|reset|invite|acs)",
    },
    caughtBy: ["test/api/receipts/send.test.ts"],
  },
  {
    name: "logged-beyond-its-days",
    breaks: "requests are shown after the days that the privacy notice names",
    change: {
      file: `${LOG}/list-requests.ts`,
      find: "const from = since !== undefined && since > oldest ? since : oldest;",
      replace: "const from = since !== undefined && since > oldest ? since : new Date(0);",
    },
    caughtBy: ["test/api/request-log/list.test.ts"],
  },
  {
    name: "log-queue-without-end",
    breaks: "while the database is away the log fills the memory until the process dies",
    change: {
      file: `${LOG}/line-queue.ts`,
      find: "if (waiting.length >= LINES_MAX || bytes + line.bytes > BYTES_MAX) return false;",
      replace: "if (bytes < 0) return false;",
    },
    caughtBy: ["test/api/request-log/trouble.test.ts"],
  },
  {
    name: "log-page-loses-a-line",
    breaks: "who walks the log to its end misses the first line of each page",
    change: {
      file: `${LOG}/list-requests.ts`,
      find: "offset ${(page - 1) * pageSize} limit ${pageSize}",
      replace: "offset ${(page - 1) * (pageSize + 1)} limit ${pageSize}",
    },
    caughtBy: ["test/api/request-log/list.test.ts"],
  },
];
