/** Tries the live acquirer without moving money; the exit code is 0 when all is well. */

import { OperatorError } from "../../../kit/errors.ts";
import { checkPowertranz } from "../../gateway/powertranz/check.ts";
import { defineRead } from "../command.ts";
import { renderTable } from "../render.ts";

export const checkGateway = defineRead({
  name: "check-gateway",
  about: "try the live acquirer without moving money, and name what is wrong",
  more:
    "It prepares a sale of 1.00 in each enabled currency with a public test card, and completes " +
    "none, so nothing is charged. The exit code is 1 when something is wrong.",
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
    const bad = checks.filter(({ isGood }) => !isGood);
    const shown = checks.map(({ what, isGood, words }) => ({ what, is_good: isGood, words }));
    const table = renderTable("PowerTranz", shown, {
      tried: "what",
      result: ({ is_good }) => (is_good ? "good" : "wrong"),
      words: "words",
    });
    const end = bad.length === 0 ? "All is well." : "It would not take every payment.";
    return {
      data: { gateway: "powertranz", is_good: bad.length === 0, checks: shown },
      text: `${table}\n${end}`,
      isBad: bad.length > 0,
    };
  },
});
