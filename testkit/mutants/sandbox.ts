/** Bugs in what a developer makes happen in the sandbox: outcomes, its clock, its snapshots. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const CONTROLS = "src/modules/sandbox-controls";
const CLOCK = "src/modules/sandbox-clock";
const PAYMENTS = ["test/journeys/simulation/payments.test.ts"];
const REFUSALS = ["test/journeys/simulation/refusals.test.ts"];
const WITHDRAWALS = ["test/journeys/simulation/withdrawals.test.ts"];
const RECEIVERS = ["test/journeys/simulation/receivers.test.ts"];
const MOVES = ["test/api/sandbox-clock/clock.test.ts"];
const TOGETHER = ["test/faults/snapshots-together.test.ts"];

export const sandboxMutants: readonly Mutant[] = [
  {
    name: "simulation-asks-no-state",
    breaks: "what a payment's state forbids is an error of ours instead of a refusal with states",
    change: {
      file: `${CONTROLS}/simulate-payment.ts`,
      find: "  demandOutcome(paid, outcome);\n",
      replace: "",
    },
    caughtBy: REFUSALS,
  },
  {
    name: "simulated-decline-stays-open",
    breaks: "a payment that was declined on request waits for another card",
    change: {
      file: `${CONTROLS}/decide-payment.ts`,
      find: 'if (outcome === "declined") await giveUpIn',
      replace: 'if (outcome === "approved") await giveUpIn',
    },
    caughtBy: PAYMENTS,
  },
  {
    name: "simulation-overrules-the-bank",
    breaks: "a card that its bank has charged is declined on request, and the customer pays for it",
    change: {
      file: `${CONTROLS}/decide-payment.ts`,
      find: "  if (!isWanted)\n",
      replace: '  if (!isWanted && entry.code === "")\n',
    },
    caughtBy: REFUSALS,
  },
  {
    name: "simulated-expiry-leaves-the-card",
    breaks: "a card that was being tried when the time ended is never answered",
    change: {
      file: `${CONTROLS}/decide-payment.ts`,
      find: "  if (current === undefined) return;\n",
      replace: "  return;\n",
    },
    caughtBy: PAYMENTS,
  },
  {
    name: "simulated-chargeback-always-lost",
    breaks: "a dispute that was won on request takes the money all the same",
    change: {
      file: `${CONTROLS}/simulate-payment.ts`,
      find: 'outcome: "released" }',
      replace: 'outcome: "processed" }',
    },
    caughtBy: PAYMENTS,
  },
  {
    name: "simulated-refund-the-other-way",
    breaks: "a refund that was accepted on request is rejected",
    change: {
      file: `${CONTROLS}/simulate-payment.ts`,
      find: 'outcome === "refund_accepted" ? "refunded" : "rejected"',
      replace: 'outcome === "refund_accepted" ? "rejected" : "refunded"',
    },
    caughtBy: PAYMENTS,
  },
  {
    name: "simulated-refund-is-the-newest",
    breaks: "of several refunds another one ends than the one that began first",
    change: {
      file: `${CONTROLS}/simulate-payment.ts`,
      find: "refunds.find(({ ended_at }) => ended_at === null)",
      replace: "refunds.findLast(({ ended_at }) => ended_at === null)",
    },
    caughtBy: PAYMENTS,
  },
  {
    name: "simulated-withdrawal-unknown-to-its-bank",
    breaks: "the bank pays a withdrawal that was held or failed on request",
    change: {
      file: `${CONTROLS}/simulate-withdrawal.ts`,
      find: "  await forceBank(tx, row, outcome);\n",
      replace: "",
    },
    caughtBy: WITHDRAWALS,
  },
  {
    name: "simulated-withdrawal-fails-when-held",
    breaks: "a withdrawal that was held on request gives its money back",
    change: {
      file: `${CONTROLS}/simulate-withdrawal.ts`,
      find: 'return { to: "held", reason };',
      replace: 'return { to: "failed", reason };',
    },
    caughtBy: WITHDRAWALS,
  },
  {
    name: "simulated-receiver-without-end",
    breaks: "an endpoint is never sent to again after a simulation",
    change: {
      file: `${CONTROLS}/simulate-receiver.ts`,
      find: "make_interval(secs => ${seconds})",
      replace: "make_interval(days => ${seconds})",
    },
    caughtBy: RECEIVERS,
  },
  {
    name: "clock-loses-moves",
    breaks: "of two moves of the clock at one moment one is lost",
    change: {
      file: `${CLOCK}/move-clock.ts`,
      find: "  await tx.one(sqlOf({})`select from clock_shift for update`);\n",
      replace: "",
    },
    caughtBy: MOVES,
  },
  {
    name: "clock-runs-back",
    breaks: "what had its time already gets it again",
    change: {
      file: `${CLOCK}/move-clock.ts`,
      find: "if (seconds < 0) throw",
      replace: "if (seconds < -1e12) throw",
    },
    caughtBy: MOVES,
  },
  {
    name: "clock-moved-without-its-jobs",
    breaks: "what became due waits for the next hour of real time",
    change: {
      file: `${CLOCK}/move-clock.ts`,
      find: "for (const job of jobsByTheClock)",
      replace: "for (const job of jobsByTheClock.slice(0, 0))",
    },
    caughtBy: ["test/journeys/sandbox-clock.test.ts"],
  },
  {
    name: "two-snapshots-at-once",
    breaks: "two processes copy and exchange the database under each other",
    change: {
      file: "src/infra/process/pause-together.ts",
      find: "if (!rows[0].mine) throw",
      replace: "if (rows.length === 0) throw",
    },
    caughtBy: TOGETHER,
  },
  {
    name: "snapshot-work-waits-its-turn",
    breaks: "a second work of snapshots is not refused, and its caller waits without an answer",
    change: {
      file: "src/infra/process/turns.ts",
      find: "isTaken: () => taken > 0,",
      replace: "isTaken: () => taken > 99,",
    },
    caughtBy: TOGETHER,
  },
  {
    name: "removed-snapshot-restored",
    breaks: "a snapshot that is removed at the same moment is an error of ours",
    change: {
      file: "src/infra/embedded-postgres/spare-copy.ts",
      find: "  if (!(await exists(client, SNAPSHOT + snapshot))) return undefined;\n",
      replace: "",
    },
    caughtBy: TOGETHER,
  },
  {
    name: "restore-brings-nothing-back",
    breaks: "a restore is answered, and everything is as it was",
    change: {
      file: "src/modules/sandbox-snapshots/snapshots.ts",
      find: "leftOver = await exchange(client, copy);",
      replace: "leftOver = copy;",
    },
    caughtBy: TOGETHER,
  },
];
