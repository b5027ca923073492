/** `windward simulate`: forces an outcome on an object of the sandbox. */

import { Command } from "commander";
import { SIMULATIONS } from "../api-operations.ts";
import type { Api, Json } from "./api.ts";
import { act, withConnection } from "./context.ts";
import { nearest } from "./nearest.ts";
import { notFoundMeans, readCount, WrongUsage } from "./tool-error.ts";

type Kind = keyof typeof SIMULATIONS;

const HELP_COLUMNS = 78;

const HELP = `
Outcomes
  of a payment      ${linesOf(SIMULATIONS.transactions)}
  of a withdrawal   ${linesOf(SIMULATIONS.withdrawals)}
  of a webhook      ${linesOf(SIMULATIONS.webhooks)}: how its receiver answers, for --seconds

  npx windward simulate SB-TT-01J… approve
  npx windward simulate SB-TT-01J… decline --code 05
  npx windward simulate 0190a1b2-… error --seconds 60`;

interface SimulateOptions {
  readonly code?: string;
  readonly reason?: string;
  readonly seconds: string;
}

/** What became of it. A disputed or refunded payment is a success still: the rest says which. */
const WORDS: Readonly<Record<Kind, (record: Json) => string>> = {
  transactions: ({ status, status_desc: more }) =>
    `is ${status}${more === "Normal" ? "" : ` (${more})`} now`,
  withdrawals: ({ status }) => `is ${status} now`,
  webhooks: ({ simulated_receiver: receiver, simulated_until: until }) =>
    until === null ? "is called as ever" : `answers ${receiver} until ${until}`,
};

export function simulateCommand(): Command {
  return withConnection(new Command("simulate"))
    .description("force an outcome on a payment, withdrawal or webhook of the sandbox")
    .argument("<id>", "transaction_id, or a webhook's id")
    .argument("<outcome>", "see below")
    .option("--code <code>", "of a decline")
    .option("--reason <words>", "of a withdrawal's outcome")
    .option("--seconds <number>", "how long a webhook's receiver is simulated; 0 ends it", "60")
    .addHelpText("after", HELP)
    .action(
      act<SimulateOptions>(async (context, options, id = "", outcome = "") => {
        const kind = kindOf(outcome);
        const seconds = readCount("--seconds", options.seconds, { least: 0 });
        const { data } = await simulate(await context.api(), {
          ...{ kind, id, outcome, seconds },
          ...{ code: options.code, reason: options.reason },
        }).catch(
          notFoundMeans(
            `There is no ${id} among the ${kind} of this sandbox.`,
            "Live objects are never simulated. npx windward events shows the ids there are.",
          ),
        );
        context.show(data, () => `${id} ${WORDS[kind](data)}.`);
      }),
    );
}

interface Simulation {
  readonly kind: Kind;
  readonly id: string;
  readonly outcome: string;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly seconds?: number;
}

export function simulate(
  api: Api,
  { kind, id, outcome, code, reason, seconds = 60 }: Simulation,
): Promise<Json> {
  const body = {
    transactions: { outcome, code },
    withdrawals: { outcome, reason },
    webhooks: { receiver: outcome, seconds },
  }[kind];
  const name = kind === "webhooks" ? "id" : "transaction_id";
  return api.call("POST", `/sandbox/${kind}/{${name}}/simulate`, { path: { [name]: id }, body });
}

/** Within 100 columns, behind the words of HELP. */
function linesOf(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const line = lines.at(-1);
    const longer = `${line}, ${name}`;
    if (line === undefined || longer.length > HELP_COLUMNS) lines.push(name);
    else lines[lines.length - 1] = longer;
  }
  return lines.join(`,\n${" ".repeat(20)}`);
}

/** No two kinds share an outcome, so the outcome says what the id is of. */
function kindOf(outcome: string): Kind {
  const kinds = Object.keys(SIMULATIONS) as Kind[];
  const found = kinds.find((kind) => SIMULATIONS[kind].some((each) => each === outcome));
  if (found !== undefined) return found;
  const near = nearest(
    outcome,
    kinds.flatMap((kind) => [...SIMULATIONS[kind]]),
  );
  throw new WrongUsage(`There is no outcome ${outcome}.`, `Did you mean ${near.join(" or ")}?`);
}
