/**
 * The tool as a whole: its commands, and what its exit codes mean: 0 done, 1 failed, 2 called
 * wrongly. `sdk/bin/windward.mjs` runs it.
 */

import { readFileSync } from "node:fs";
import process from "node:process";
import { Command, CommanderError } from "commander";
import { examCommand } from "../exam/command.ts";
import { clockCommand } from "./clock.ts";
import { printError, withConnection } from "./context.ts";
import { eventsCommand } from "./events.ts";
import { explainCommand } from "./explain.ts";
import { listenCommand } from "./listen/command.ts";
import { loginCommand } from "./login.ts";
import { logoutCommand } from "./logout.ts";
import { requestsCommand } from "./requests.ts";
import { simulateCommand } from "./simulate.ts";
import { snapshotCommand } from "./snapshot.ts";
import { EXIT, toolErrorOf } from "./tool-error.ts";
import { triggerCommand } from "./trigger/command.ts";
import { verifyCommand } from "./verify/command.ts";
import { whoamiCommand } from "./whoami.ts";

const PACKAGE = new URL("../../package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };

const EXAMPLES = `
Examples:
  npx windward login
  npx windward listen --forward-to http://localhost:8000/webhooks
  npx windward trigger payment.success
  npx windward requests --follow
  npx windward verify redirect '<url>' --secret <signing secret>

Every command has --help. Ends with 0 when done, 1 when it failed, 2 when it was called wrongly.
`;

const COMMANDS = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  listenCommand,
  triggerCommand,
  eventsCommand,
  requestsCommand,
  explainCommand,
  simulateCommand,
  clockCommand,
  snapshotCommand,
  verifyCommand,
  examCommand,
];

/** Takes what stands behind the tool's name, and returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const program = withConnection(new Command("windward"))
    .description("Windward for developers: your sandbox at the terminal")
    .version(version)
    .enablePositionalOptions()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText("after", EXAMPLES);
  for (const make of COMMANDS) program.addCommand(make());
  strictly(program);
  try {
    await program.parseAsync([...args], { from: "user" });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(toolErrorOf(error, ""));
    // Help that was asked for is no mistake; help for want of a command is.
    const isAnswer = ["commander.helpDisplayed", "commander.version"].includes(error.code);
    return isAnswer ? EXIT.done : EXIT.calledWrongly;
  }
}

/** Wrong options and commands are thrown, and where help is stands behind, in every command. */
function strictly(command: Command, outer = "npx"): void {
  const name = `${outer} ${command.name()}`;
  command.exitOverride().showHelpAfterError(`See: ${name} --help`);
  for (const each of command.commands) strictly(each, name);
}
