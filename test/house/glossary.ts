/**
 * Words that are not used here, in names, comments and prose, each with what is written instead.
 * A private word has to be learnt; the field has one for nearly everything.
 */

import type { Complaint } from "./complaints.ts";
import type { Files } from "./project-files.ts";

interface Word {
  readonly not: string;
  /** When it is found by more or less than the word itself, in any case and joined any way. */
  readonly pattern?: RegExp;
  readonly instead: string;
}

const WORDS: readonly Word[] = [
  { not: "open-doors", instead: "listen" },
  {
    not: "turn away",
    pattern: /\bturn(s|ed|ing)?[- ]?away\b/i,
    instead: "refuse; for load: shed",
  },
  {
    not: "crowd",
    pattern: /crowd/i,
    instead: "concurrency limit, or clients",
  },
  { not: "rest-connections", instead: "pause sockets" },
  {
    not: "shown as a name",
    pattern: /\b(type|interface) Shown|\/shown\.ts/,
    instead: "response schema, view",
  },
  { not: "passing as a name", pattern: /\bpassing(\(|\.ts)/, instead: "failpoint" },
  { not: "desk", pattern: /\bdesks?\b/i, instead: "opener" },
  { not: "or-left-out", instead: "fallback" },
  { not: "way-back", instead: "return URL" },
  {
    not: "deed",
    pattern: /\b[dD]eeds?\b|[a-z]Deed/,
    instead: "action; audit entry",
  },
  { not: "kept-answer", instead: "ETag cache" },
  {
    not: "former",
    // The operator's command and its output keep their names.
    pattern: /\bformer\b(?!-callers|.names in use|.primary)/i,
    instead: "1.x, v1; or previous",
  },
  {
    not: "the bridge",
    pattern: /\bthe (whole )?bridge\b(?!-)/i,
    instead: "v1-compat",
  },
  {
    not: "gate",
    pattern: /\bgates?\b/i,
    instead: "semaphore",
  },
  { not: "made-once", instead: "lazy" },
  { not: "image-shop", instead: "thumbnail service" },
  { not: "misfit", pattern: /misfit/i, instead: "mismatch" },
  { not: "say-why-not", instead: "startup error" },
  { not: "goes-first", instead: "high priority" },
  {
    not: "places for slots",
    // In the singular "no place" and "its own place" are ordinary English.
    pattern: /\b(all|free|waiting|taken) places?\b|\b(no|own) places\b|\bplaces? to wait\b/i,
    instead: "slots",
  },
  {
    not: "heed",
    pattern: /\bheed(s|ed|ing)?\b/i,
    instead: "follow, honour",
  },
  { not: "doorkeeper", pattern: /doorkeeper/i, instead: "guard" },
  {
    not: "whoever",
    pattern: /\bwhoever\b/i,
    instead: "the caller, the client, the process",
  },
  {
    not: "those who",
    pattern: /\bthose who\b/i,
    instead: "callers, merchants, operators",
  },
  {
    not: "the rule that matters",
    instead: "what must hold, without an announcement",
  },
  {
    not: "on its way",
    instead: "in transit; or leave it out",
  },
  {
    not: "let in",
    pattern: /\blets? in\b|\bletIn\b/i,
    instead: "admit",
  },
  { not: "left in peace", instead: "accepted, left alone" },
  {
    not: "hear",
    pattern: /\b(hears?|heard)\b/i,
    instead: "receive, get",
  },
  {
    not: "dear",
    pattern: /\bdear(er|est)?\b/,
    instead: "expensive",
  },
  {
    not: "Asked, Taken or Given as a type",
    pattern: /\b(type|interface) (Asked|Taken|Given)\b/,
    instead: "request, claimed, input",
  },
];

const READ = /^(src|test|testkit|scripts|bench|docs|web|sdk|examples)\/|^[A-Z]+\.md$/;
/** Fixed: the contract, what landed, what is generated; and the list itself. */
const NOT_READ = [
  /^(docs\/interface|CHANGELOG)\.md$/,
  /^(sdk\/src\/api-types\.ts$|src\/infra\/db\/tables\.ts$|test\/fixtures\/)/,
  /^test\/house\/glossary\./,
];

export function glossaryComplaints(files: Files): Complaint[] {
  const words = WORDS.map((word) => ({ ...word, pattern: word.pattern ?? patternOf(word.not) }));
  return [...files]
    .filter(([file]) => READ.test(file) && !NOT_READ.some((one) => one.test(file)))
    .flatMap(([file, text]) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          words
            .filter(({ pattern }) => pattern.test(line) || (index === 0 && pattern.test(file)))
            .map(({ not, instead }) => ({ file, line: index + 1, rule: not, advice: instead })),
        ),
    );
}

/** "made-once" is also madeOnce; as two words it is ordinary English. */
function patternOf(word: string): RegExp {
  return new RegExp(`\\b${word.replaceAll("-", "-?")}\\b`, "i");
}
