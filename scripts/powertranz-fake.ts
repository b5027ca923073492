/**
 * `npm run powertranz-fake`: the fake PowerTranz gateway, to try live mode on a laptop. It prints
 * the settings that point the service at it, and the cards it knows.
 */

import process from "node:process";
import { CENTS_HELP } from "../testkit/powertranz/cents.ts";
import { startPowertranzFake } from "../testkit/powertranz/fake.ts";
import type { FakeAddress } from "../testkit/powertranz/fake-process.ts";
import { FAULT_KINDS } from "../testkit/powertranz/fault-kinds.ts";
import { usableCards } from "../testkit/powertranz/usable-cards.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { number } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say } from "../testkit/tool/say.ts";

const { port } = readCommand({
  name: "powertranz-fake",
  about:
    "A fake PowerTranz gateway, in memory: live payments without an acquirer. It prints the " +
    "settings for the service, its test cards, and how to make it fail. Only this machine " +
    "reaches it.",
  takes: "Runs until it is stopped, and forgets everything then.",
  options: {
    port: number({ about: "where it listens; 0: any free port", min: 0, max: 65_535 }, 4646),
  },
});

await runTool("powertranz-fake", async (tool) => {
  const fake = await tool
    .keep(
      () => startPowertranzFake({ port }),
      (started) => started.stop(),
    )
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") throw error;
    });
  if (fake === undefined) {
    say(`Port ${port} is in use; choose another with --port.`);
    return false;
  }
  const { url, controlUrl, id, password } = fake;
  say("Settings for the service:\n");
  say(`export POWERTRANZ_URL=${url}`);
  say(`export POWERTRANZ_ID=${id}`);
  say(`export POWERTRANZ_PASSWORD=${password}`);
  say("\nTest cards, with any future expiry and any CVV (999 is wrong, 998 is not checked):\n");
  for (const { number: cardNumber, about } of usableCards()) say(`  ${cardNumber}  ${about}`);
  say('\nA decline: 4012000000020071 with "Code 05" as the name on the card; so for every code.');
  say(CENTS_HELP);
  say("\nFaults, clock and switches; what it was asked; what is true; the settlement report:\n");
  say(`  curl ${controlUrl} -d '{"faults":[{"kind":"cut-after","endpoint":"spi/payment"}]}'`);
  say(`  curl ${controlUrl} -d '{"advanceSeconds":301}'`);
  say(`  curl ${controlUrl} -d '{"switches":{"passwordWrong":true}}'`);
  say(`  curl ${controlUrl} -d '{"settle":true}'`);
  for (const path of ["calls", "transactions", "settlement.csv"])
    say(`  curl ${controlUrl}/${path}`);
  say(`\nKinds of faults: ${FAULT_KINDS.join(", ")}.`);
  const address: FakeAddress = { url, controlUrl, id, password };
  process.send?.(address);
  // The process that started it may have been killed.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  return new Promise<boolean>(() => {});
});
