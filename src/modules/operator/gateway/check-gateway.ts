/**
 * Tries the live acquirer without moving money. The exit code is 0 when nothing is wrong; what only
 * the acquirer can say is unclear, is named, and is no failure.
 */

import { OperatorError } from "../../../kit/errors.ts";
import { checkPowertranz } from "../../gateway/powertranz/check.ts";
import { defineRead } from "../command.ts";
import { reportBlocks, tableBlock, words } from "../render.ts";

export const checkGateway = defineRead({
  name: "check-gateway",
  right: { terminalOnly: "It tries settings before a service has them." },
  about: "try the live acquirer without moving money, and name what is wrong",
  more:
    "It prepares a sale of 1.00 in each enabled currency with a public test card, and completes " +
    "none, so nothing is charged. The exit code is 1 when something is wrong. What only the " +
    "acquirer can say is unclear: it is named, and the exit code stays 0.",
  fields: {},
  example: {
    given: "",
    shows: `PowerTranz
  tried           result  words
  reach           good    it answers
  TTD Visa        good    it would take a sale
  TTD Mastercard  good    it would take a sale
  lookup          good    it answers
All is well.`,
  },
  async run({ config }) {
    const { powertranz, http } = config;
    if (powertranz === undefined)
      throw new OperatorError(
        "No live acquirer is configured: set POWERTRANZ_URL, POWERTRANZ_ID and " +
          "POWERTRANZ_PASSWORD.",
      );
    const checks = await checkPowertranz(powertranz, `${http.paymentsPublicUrl}/`);
    const shown = checks.map(({ what, result, words }) => ({ what, result, words }));
    const count = (result: string) => checks.filter((one) => one.result === result).length;
    const [wrong, unclear] = [count("wrong"), count("unclear")];
    const columns = { tried: "what", result: "result", words: "words" } as const;
    const data = { gateway: "powertranz", is_good: wrong === 0, unclear, checks: shown };
    const table = tableBlock("PowerTranz", shown, columns);
    const report = reportBlocks(data, [table, words(endOf(wrong, unclear))]);
    return { ...report, isBad: wrong > 0 };
  },
});

function endOf(wrong: number, unclear: number): string {
  if (wrong > 0) return "It would not take every payment.";
  if (unclear === 0) return "All is well.";
  return `Nothing is wrong, ${unclear} ${unclear === 1 ? "thing is" : "things are"} unclear.`;
}
