/**
 * The operator, at work during the same faults: chargebacks opened and settled by the commands of
 * the terminal. A command may be refused, or find no database; that it was called wrongly would be
 * a mistake of the soak.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { operator as command, SIGNED } from "../../../testkit/operator.ts";
import type { House } from "../house.ts";
import type { Chance } from "../random.ts";
import type { Diary } from "./diary.ts";

export interface Operator {
  stop(): Promise<void>;
}

const EVERY_MS = 6_000;
/** The exit code of a refusal, and of a database in trouble. */
const REFUSED = 1;

export function startOperator(house: House, diary: Diary, chance: Chance): Operator {
  const stopping = new AbortController();
  const pause = () =>
    sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  const run = async (...args: readonly string[]) => {
    const database = { url: house.settings.DATABASE_URL ?? "" };
    const settings = { LIVE_PAYOUTS: "simulator" };
    const said = await command({ database } as never, args, { settings });
    if (said.code === 0) diary.acknowledge(`operator: ${args[0]}`);
    else if (said.code !== REFUSED)
      diary.complain("unexpected answers", `${args.join(" ")}: ${said.code} ${said.stderr}`);
    return said.code === 0;
  };
  const running = (async () => {
    for (; !stopping.signal.aborted; await pause()) {
      const paid = [...diary.results].filter(([id, told]) => told === "success" && isPayment(id));
      const [id] = paid.length === 0 ? [] : chance.pick(paid.slice(-40));
      if (id === undefined) continue;
      const isOpen = await run("open-chargeback", id, "--amount", "5.00", ...SIGNED);
      if (!isOpen) continue;
      const end = chance.pick(["--processed", "--released", "left"]);
      if (end !== "left") await run("settle-chargeback", id, end, ...SIGNED);
    }
  })();
  const isPayment = (id: string) => diary.payments.get(id)?.environment === "sandbox";
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
