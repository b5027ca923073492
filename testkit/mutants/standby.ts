/** Bugs in reading from a standby: too early, from another server, at the cost of an answer. */

import type { Mutant } from "./mutant.ts";

const STANDBY = "src/infra/db/standby.ts";
const POSITION = "src/infra/db/standby-position.ts";

export const standbyMutants: readonly Mutant[] = [
  {
    name: "standby-read-too-early",
    breaks: "a payment that a merchant was just told of is missing from the history",
    change: {
      file: STANDBY,
      find: "      await reach(client, position).catch(missedAs(missOf));\n",
      replace: "",
    },
    caughtBy: ["test/faults/standby-reads.test.ts"],
  },
  {
    name: "standby-of-another-primary-read",
    breaks: "after a failover a list shows payments that never were, and lacks those that are",
    change: {
      file: POSITION,
      find: "const isFollower = there.mark === mark;",
      replace: "const isFollower = true;",
    },
    caughtBy: ["test/faults/standby-failover.test.ts"],
  },
  {
    name: "another-database-read",
    breaks: "with a wrong address merchants see the lists of another installation",
    change: {
      file: POSITION,
      find: "!theirs.is_in_recovery || theirs.identity !== own.identity",
      replace: "!theirs.is_in_recovery",
    },
    caughtBy: ["test/faults/standby-reads.test.ts"],
  },
  {
    name: "standby-trouble-answered",
    breaks: "a standby that dies takes the history with it, though the primary has it",
    change: {
      file: STANDBY,
      find: "        breaker.noteMiss(error);\n",
      replace: "        throw error;\n",
    },
    caughtBy: ["test/faults/standby-reads.test.ts"],
  },
  {
    name: "balances-read-from-the-standby",
    breaks: "what can be withdrawn is shown by a server on which nothing may be decided",
    change: {
      file: "src/console/balance/routes.ts",
      find: "await balancesOf(db, accountNumber, environment)",
      replace: "await read((one) => balancesOf(one, accountNumber, environment))",
    },
    caughtBy: ["test/faults/standby-routes.test.ts"],
  },
];
