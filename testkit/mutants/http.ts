/** Bugs in what every request is promised: once, not too often, honestly, without a trace. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const HTTP = "src/infra/http";

export const httpMutants: readonly Mutant[] = [
  {
    name: "environment-in-the-query-passed-over",
    breaks: "a withdrawal meant for the sandbox moves live money",
    change: {
      file: "src/infra/http/serve/serve-route.ts",
      find: "withEnvironment(fields, environmentInQuery(url))",
      replace: "fields",
    },
    caughtBy: ["test/api/http/environment.test.ts"],
  },
  {
    name: "idempotency-row-forgotten",
    breaks: "a request that is sent again after a lost answer is done again",
    change: {
      file: `${HTTP}/serve/idempotency.ts`,
      find: "      await store(tx, request, own);\n",
      replace: "",
    },
    caughtBy: ["test/api/http/idempotency.test.ts"],
  },
  {
    name: "idempotency-key-without-its-request",
    breaks: "another request under a used key gets the answer of the first, and is not done",
    change: {
      file: `${HTTP}/serve/idempotency.ts`,
      find: "request.fingerprints.findIndex((one) => one.equals(row.fingerprint));",
      replace: "request.fingerprints.findIndex((one) => one.length === row.fingerprint.length);",
    },
    caughtBy: ["test/api/http/idempotency.test.ts"],
  },
  {
    name: "idempotency-key-of-another-tenant",
    breaks: "two accounts that choose the same key get each other's answers",
    change: {
      file: `${HTTP}/serve/idempotency.ts`,
      find: "where account_number = ${request.accountNumber} and environment",
      replace: "where ${request.accountNumber}::text is not null and environment",
    },
    caughtBy: ["test/api/http/idempotency.test.ts"],
  },
  {
    name: "idempotency-answer-in-clear",
    breaks: "a copy of the database opens payment pages that are under way",
    change: {
      file: `${HTTP}/serve/sealed-answer.ts`,
      find: [
        "  return seal(boxKey(pepper), body, scopeText(scope));",
        "}",
        "",
        "/** Throws when the box is of another pepper or another row, or was changed. */",
        "export function openAnswer(pepper: SecretKey, scope: KeyScope, box: Buffer): Buffer {",
        "  return unseal(boxKey(pepper), box, scopeText(scope));",
      ].join("\n"),
      replace: [
        "  return body;",
        "}",
        "export function openAnswer(pepper: SecretKey, scope: KeyScope, box: Buffer): Buffer {",
        "  return box;",
      ].join("\n"),
    },
    caughtBy: ["test/api/trusted-cards/sealed-answers.test.ts"],
  },
  {
    name: "two-under-one-key-at-once",
    breaks: "a request that is sent twice in a hurry is done twice",
    change: {
      file: `${HTTP}/serve/idempotency.ts`,
      find: "if (!isClaimed) throw new IdempotencyKeyStillRunning();",
      replace: "if (isClaimed === undefined) throw new IdempotencyKeyStillRunning();",
    },
    caughtBy: ["test/api/http/idempotency.test.ts"],
  },
  {
    name: "one-request-too-many",
    breaks: "every limit lets one more through than it says",
    change: {
      file: `${HTTP}/admit/rate-limiter.ts`,
      find: "granted: position <= window.granted,",
      replace: "granted: position <= window.granted + 1,",
    },
    caughtBy: ["test/api/http/rate-limit.test.ts"],
  },
  {
    name: "lost-commit-taken-for-a-failure",
    breaks: "work that may have been done is answered with a plain error, and done again",
    change: {
      file: "src/infra/db/end-transaction.ts",
      find: 'throw new CommitUnknown("Whether it was committed is not known.", { cause: error });',
      replace: "throw error;",
    },
    caughtBy: ["test/api/http/lost-commit.test.ts", "test/api/http/commit-unknown.test.ts"],
  },
  {
    name: "warning-at-a-lone-statement-believed",
    breaks: "a payment is acknowledged that is gone when the standby takes over",
    change: {
      file: "src/infra/db/end-transaction.ts",
      find: "if (warning !== undefined)",
      replace: 'if (warning !== undefined && statement === "commit")',
    },
    caughtBy: ["test/api/http/one-statement.test.ts"],
  },
  {
    name: "settings-that-a-pooler-dropped",
    breaks: "behind a pooler no commit waits for the disk or the standby, and nobody is told",
    change: {
      file: "src/infra/db/database.ts",
      find: "where current_setting(name) <> value and name <> 'tcp_user_timeout'`);",
      replace: "where current_setting(name) is null and name <> 'tcp_user_timeout'`);",
    },
    caughtBy: ["test/faults/database-trust.test.ts"],
  },
  {
    name: "card-number-in-the-log",
    breaks: "the log contains card numbers",
    change: {
      file: "src/kit/scrub.ts",
      find: "const scrubbed = scrubCards(listed);",
      replace: "const scrubbed = plain.length < 0 ? scrubCards(listed) : plain;",
    },
    caughtBy: ["src/kit/scrub.test.ts"],
  },
  {
    name: "key-that-stands-twice",
    breaks: "two readers of one body understand two different amounts",
    change: {
      file: `${HTTP}/body/parse-json.ts`,
      find: "if (keys.has(key)) throw givenTwice(key);",
      replace: "if (keys.has(key)) givenTwice(key);",
    },
    caughtBy: ["src/infra/http/body/parse-json.test.ts"],
  },
  {
    name: "address-that-anybody-names",
    breaks: "a client that is limited by address chooses another one in a header",
    change: {
      file: `${HTTP}/admit/client-address.ts`,
      find: "if (!isIn(trusted, address) || net.isIP(next) === 0) break;",
      replace: "if (net.isIP(next) === 0) break;",
    },
    caughtBy: [
      "test/api/http/client-address.test.ts",
      "src/infra/http/admit/client-address.test.ts",
    ],
  },
  {
    name: "host-of-somebody-else",
    breaks: "a page of ours is served under a name that is not ours",
    change: {
      file: `${HTTP}/listen/check-request-shape.ts`,
      find: "if (!hosts.has(hostName(host))) return false;",
      replace: 'if (hostName(host) === "") return false;',
    },
    caughtBy: ["test/api/http/malformed.test.ts"],
  },
  {
    name: "plan-that-reads-all",
    breaks: "a plan from when a table was small reads all of it for ever after",
    change: {
      file: "src/infra/db/database.ts",
      find: '"enable_seqscan=off",',
      replace: '"enable_seqscan=on",',
    },
    caughtBy: ["test/api/http/plans.test.ts"],
  },
  {
    name: "given-back-twice",
    breaks: "a stop while the database goes away ends in an error that nobody catches",
    change: {
      file: "src/infra/jobs/retrying-job-pool.ts",
      find: "remaining = undefined;",
      replace: "remaining = giveBack;",
    },
    caughtBy: ["src/infra/jobs/retrying-job-pool.test.ts"],
  },
  {
    name: "every-path-open-to-scripts",
    breaks: "a page of any site reads what is answered to the browser of somebody else",
    change: {
      file: "src/infra/http/serve/cross-origin.ts",
      find: 'const OPEN_PREFIX = "/plugins/";',
      replace: 'const OPEN_PREFIX = "/";',
    },
    caughtBy: ["test/api/http/cross-origin.test.ts"],
  },
  {
    name: "found-work-that-the-standby-lacks",
    breaks: "a payment is confirmed that is gone after the primary's machine is lost",
    change: {
      file: "src/infra/db/end-transaction.ts",
      find: "await waitForStandby().catch((cause) => {",
      replace: "await Promise.resolve().catch((cause) => {",
    },
    caughtBy: ["test/api/http/commit-unknown.test.ts"],
  },
  {
    name: "lost-commit-looked-for-once",
    breaks: "a payment that commits a moment after its connection was lost is told as a failure",
    change: {
      file: "src/infra/db/end-transaction.ts",
      find: "const CONFIRM_TRIES_MAX = 10;",
      replace: "const CONFIRM_TRIES_MAX = 1;",
    },
    caughtBy: ["test/api/http/commit-unknown.test.ts", "test/api/http/lost-commit.test.ts"],
  },
];
