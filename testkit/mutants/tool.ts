/** Bugs in `windward`: what `listen` writes down and sends again, and what `exam` concludes. */

import type { Mutant } from "./mutant.ts";

const LISTEN = "sdk/src/tool/listen";
const EXAM = "sdk/src/exam";
const PARTS = ["test/sdk/tool/parts.test.ts"];
const LISTENS = ["test/tool/listen.test.ts"];
const CASES = ["test/tool/exam-cases.test.ts"];

export const toolMutants: readonly Mutant[] = [
  {
    name: "listen-acknowledges-by-position",
    breaks: "after a restore an event is lost whose position an older one had",
    change: {
      file: `${LISTEN}/listen-state.ts`,
      find: "if (waiting.get(position) === key) waiting.delete",
      replace: "if (waiting.has(position)) waiting.delete",
    },
    caughtBy: PARTS,
  },
  {
    name: "listen-forgets-what-waits",
    breaks: "an event that the receiver refused is lost when the feed was set back",
    change: {
      file: `${LISTEN}/listen-state.ts`,
      find: "waiting: new Map([...waiting].filter(upTo)),",
      replace: "waiting: new Map(),",
    },
    caughtBy: PARTS,
  },
  {
    name: "listen-acknowledges-before-the-disk",
    breaks: "an event that was said to be written down comes again after a kill",
    change: {
      file: `${LISTEN}/listen-state.ts`,
      find: "if (this.#next !== undefined) return this.#next;",
      replace: "if (this.#next !== undefined) return Promise.resolve();",
    },
    caughtBy: PARTS,
  },
  {
    name: "listen-ignores-a-restore",
    breaks: "after a restore events are missed until the feed is as long as it was",
    change: {
      file: `${LISTEN}/listener.ts`,
      find: "if (last < read || (",
      replace: "if (last < 0 && (",
    },
    caughtBy: LISTENS,
  },
  {
    name: "listen-lets-later-events-pass",
    breaks: "a later event of a record arrives before one that was refused",
    change: {
      file: `${LISTEN}/lanes.ts`,
      find: "if (!reply.isAway && lane[0] === item) await",
      replace:
        "if (!reply.isAway) lane.push(...lane.splice(0, 1));\n        if (lane[0] === item) await",
    },
    caughtBy: LISTENS,
  },
  {
    name: "listen-takes-up-nothing",
    breaks: "what was refused before a restart is never tried again",
    change: {
      file: `${LISTEN}/listener.ts`,
      find: "  await persist(parts, () => takeUpWaiting(parts));\n",
      replace: "",
    },
    caughtBy: LISTENS,
  },
  {
    name: "listen-twice-to-one-receiver",
    breaks: "two listeners send every event twice and write over each other's state",
    change: {
      file: "sdk/src/tool/file-lock.ts",
      find: "return start === (await startOf(pid));",
      replace: 'return start === "";',
    },
    caughtBy: LISTENS,
  },
  {
    name: "exam-counts-no-shipments",
    breaks: "a shop that ships twice gets an A",
    change: {
      file: `${EXAM}/run-case.ts`,
      find: "const expected = { ...examCase.expected, shipped: shippedRight };",
      replace: "const expected = { ...examCase.expected, shipped: [0, 1, 2, 3] };",
    },
    caughtBy: CASES,
  },
  {
    name: "exam-forges-with-the-right-secret",
    breaks: "a correct shop fails",
    change: {
      file: `${EXAM}/run-case.ts`,
      find: "return signed(webhook, ANOTHER_SECRET);",
      replace: "return signed(webhook, secret);",
    },
    caughtBy: CASES,
  },
  {
    name: "exam-signs-old-webhooks-now",
    breaks: "a shop that looks at no timestamp cannot be told from one that does",
    change: {
      file: `${EXAM}/run-case.ts`,
      find: 'signing === "old" ? OLD_MS : 0',
      replace: 'signing === "old" ? 0 : 0',
    },
    caughtBy: CASES,
  },
  {
    name: "exam-praises-who-refuses-everything",
    breaks: "a wrong --secret looks like a shop that refuses forgeries",
    change: {
      file: `${EXAM}/judge.ts`,
      find: 'const verdict = hollow === "" ? seen : "unseen";',
      replace: "const verdict = seen;",
    },
    caughtBy: ["test/sdk/exam.test.ts"],
  },
  {
    name: "exam-replays-nothing",
    breaks: "a shop that ships for every result gets an A",
    change: {
      file: `${EXAM}/result-cases.ts`,
      find: '      await waitFor("paid");\n      await sendResult(result);\n',
      replace: '      await waitFor("paid");\n',
    },
    caughtBy: CASES,
  },
  {
    name: "exam-tells-no-cheap-payment-by-webhook",
    breaks: "a shop that believes the webhook of any payment gets an A",
    change: {
      file: `${EXAM}/result-cases.ts`,
      find: 'if (payment.isKnown) await deliver(webhook("payment.success", cheap));',
      replace: "",
    },
    caughtBy: CASES,
  },
  {
    name: "exam-forgives-theft",
    breaks: "a shop that gives goods away for a forged webhook gets a C",
    change: {
      file: `${EXAM}/grade.ts`,
      find: "failed.some(({ losesGoods }) => losesGoods) ||",
      replace: "",
    },
    caughtBy: [...CASES, "test/sdk/exam.test.ts"],
  },
];
