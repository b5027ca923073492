/**
 * What is not written here, each with what is written instead. A ban is text, not syntax: it
 * reads line by line and passes over lines that are wholly comment, so a comment may explain
 * what it forbids.
 */

import type { Complaint } from "./complaints.ts";
import type { Files } from "./project-files.ts";

type Scope = (file: string) => boolean;

const tests: Scope = (file) => /^test(kit)?\//.test(file) || file.endsWith(".test.ts");
const src: Scope = (file) => file.startsWith("src/") && !tests(file);
/** Without the tool, which is a program for a terminal. */
const sdk: Scope = (file) => /^sdk\/src\/(?!tool\/|exam\/)/.test(file);
const endpointTests: Scope = (file) => /^test\/(api|contract)\//.test(file);
/** Where time itself is what a test is about, or chance is. */
const MAY_SLEEP: Readonly<Record<string, string>> = {
  "test/alarms/prometheus/stage.ts": "asks Prometheus again, which evaluates once a second",
  "test/events/order.test.ts": "a reader of the feed, which asks again",
  "test/events/writers.ts": "writers whose transactions last longer and shorter",
  "test/house/tidy.test.ts": "lines that the rule finds",
  "test/sdk/consumer-weather.test.ts": "a consumer that pauses now and then",
  "test/sdk-php/event-feed.test.ts": "kills at any moment of an event",
  "test/tool/listen.test.ts": "a signal that comes again, as npx passes it on",
  "test/tool/renewal.test.ts": "a service that answers slowly",
  "test/tool/run-tool.test.ts": "a person who presses Ctrl-C again",
  "test/webhooks/claims.test.ts": "what a process that slept would still send",
  "test/webhooks/slow-endpoints.test.ts": "an event now and then, while many hang",
};
const sleepless: Scope = (file) =>
  /^test\/(?!faults\/|api\/|contract\/)/.test(file) && MAY_SLEEP[file] === undefined;
const everything: Scope = () => true;

interface Ban {
  readonly not: string;
  readonly pattern: RegExp;
  readonly instead: string;
  readonly where: Scope;
  /** The words themselves are unwanted, in comments and prose too. */
  readonly evenInComments?: true;
}

const BANS: readonly Ban[] = [
  {
    not: "Date.now(",
    pattern: /\bDate\.now\(/,
    instead:
      "now(db) of infra/db/clock.ts, one clock for all processes; performance.now() for a duration",
    where: src,
  },
  {
    not: "new Date()",
    pattern: /\bnew Date\(\)/,
    instead: "now(db) of infra/db/clock.ts, one clock for all processes",
    where: src,
  },
  {
    not: "parseFloat(",
    pattern: /\bparseFloat\(/,
    instead: "parseMinor, which refuses what it cannot hold exactly",
    where: src,
  },
  {
    not: "process.env",
    pattern: /\bprocess\.env\b/,
    instead: "config, where every setting is typed and documented",
    where: src,
  },
  {
    not: "console.",
    pattern: /\bconsole\./,
    instead: "log, which carries the request id and hides secrets",
    where: src,
  },
  {
    not: "Math.random(",
    pattern: /\bMath\.random\(/,
    instead: "randomBytes, which nobody can guess",
    where: src,
  },
  {
    not: "what only Node has",
    pattern: /from "node:|\bprocess\.|\bBuffer\b|\bconsole\./,
    instead: "what browsers have too: the SDK runs in both, and prints nothing",
    where: sdk,
  },
  {
    not: "a test switched off or singled out",
    pattern: /\.(only|skip|todo)\(|\b(only|skip|todo): ?true/,
    instead: "mend the test or delete it",
    where: tests,
  },
  {
    not: "sleeping in a test",
    pattern: /\bsetTimeout\(|\bsleep\(|timers\/promises/,
    instead: "wait for the thing itself, or move the database's time",
    where: endpointTests,
  },
  {
    not: "a test that waits by the clock",
    pattern: /\bawait sleep\(|\bawait new Promise\(\(\w+\) => setTimeout\(/,
    instead: "wait for the thing itself (until), or a line in MAY_SLEEP with the reason",
    where: sleepless,
  },
  {
    not: "a row without a shape",
    pattern: /\.(rows|one|maybeOne|transactionOf)(<|\(sql`)/,
    instead: "sqlOf with a shape, which tests compare with what comes back (Decision 0079)",
    where: src,
  },
  {
    not: "a reminder",
    pattern: /\b(TODO|FIXME|XXX)\b/,
    instead: "do it, write the decision, or open an issue",
    where: everything,
    evenInComments: true,
  },
  {
    not: "a path of one machine",
    pattern: /(?<![\w.*/-])\/(home|root|Users)\/\w/,
    instead: "a path inside the project",
    where: everything,
    evenInComments: true,
  },
  {
    not: "a package registry",
    pattern: /\bregistry\.[a-z0-9-]+\.[a-z]|\bregistry ?=|"resolved"\s*:\s*"[a-z+]+:/,
    instead: "nothing: each install chooses its registry",
    where: everything,
    evenInComments: true,
  },
];

const COMMENT_LINE = /^\s*(\/\/|\/\*|\*|--)/;

export function banComplaints(files: Files): Complaint[] {
  return [...files].flatMap(([file, text]) => {
    const bans = BANS.filter(({ where }) => where(file));
    return text.split("\n").flatMap((line, index) =>
      bans
        .filter(({ pattern, evenInComments }) => {
          return pattern.test(line) && (evenInComments === true || !COMMENT_LINE.test(line));
        })
        .map(({ not, instead }) => ({ file, line: index + 1, rule: not, advice: instead })),
    );
  });
}
