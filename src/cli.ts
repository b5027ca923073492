/**
 * What an operator does from a terminal: `npm run operator -- <command>` (Decision 0031). It works
 * on the database of the settings, or on the embedded one of a Windward that is running, beside it
 * and with connections of its own. Answers go to standard output, everything else to standard
 * error.
 */

import process from "node:process";
import { readConfig } from "./infra/config.ts";
import { openDatabase } from "./infra/db/database.ts";
import { migrate } from "./infra/db/migrate.ts";
import { CannotStartDatabase } from "./infra/embedded-postgres/cannot-start-database.ts";
import { findRunningPostgres } from "./infra/embedded-postgres/find-running-postgres.ts";
import { createLog } from "./infra/log.ts";
import { reasonOf, sayWhyNot } from "./infra/process/say-why-not.ts";
import { FieldRefused, ServiceError, Unavailable } from "./kit/errors.ts";
import { createAct } from "./modules/operator/act.ts";
import type { Command, Report } from "./modules/operator/command.ts";
import { COMMANDS } from "./modules/operator/commands.ts";
import { helpOf, overview } from "./modules/operator/help.ts";
import { type Given, readArguments, WrongUsage } from "./modules/operator/read-arguments.ts";
import { plain, renderJson } from "./modules/operator/render.ts";

const CONNECTIONS_MAX = 2;
const REFUSED = 1;
const CALLED_WRONGLY = 2;

const [name, ...args] = process.argv.slice(3);
process.exitCode = await answer(name, args);

async function answer(wanted: string | undefined, typed: readonly string[]): Promise<number> {
  const command = COMMANDS.find((one) => one.name === wanted);
  if (command === undefined) return answerWithout(wanted);
  if (typed.some((word) => word === "--help" || word === "-h")) return say(helpOf(command));
  try {
    const given = readArguments(command, typed);
    const report = await operate(command, given);
    say(given.json ? renderJson(report.data) : report.text);
    return report.isBad === true ? REFUSED : 0;
  } catch (error) {
    return complain(error, command);
  }
}

function answerWithout(wanted: string | undefined): number {
  if (wanted === "--help" || wanted === "-h" || wanted === "help") return say(overview(COMMANDS));
  const unknown = wanted === undefined ? "" : `There is no command "${plain(wanted)}".\n\n`;
  process.stderr.write(`${unknown}${overview(COMMANDS)}\n`);
  return CALLED_WRONGLY;
}

async function operate(command: Command, { input, signature }: Given): Promise<Report> {
  const config = readConfig(process.env);
  const folder = process.env.INIT_CWD ?? process.cwd();
  const log = createLog({ level: "warn", write: (line) => void process.stderr.write(line) });
  const { dataDir } = config.database;
  const url = config.database.url ?? (await findRunningPostgres(dataDir));
  if (url === undefined)
    throw new CannotStartDatabase(
      `No Windward is running on ${dataDir}. Start it first, or set DATABASE_URL.`,
    );
  await migrate({ url, log });
  const db = openDatabase({ url, connectionsMax: CONNECTIONS_MAX, log });
  try {
    return await command.run(
      { config, db, log, folder, readStdin, sayProgress },
      input,
      createAct(db, signature),
    );
  } finally {
    await db.close();
  }
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY)
    throw new FieldRefused("Pipe the password in: a terminal would show what is typed.");
  return Buffer.concat(await process.stdin.toArray()).toString();
}

function sayProgress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function complain(error: unknown, command: Command): number {
  if (error instanceof WrongUsage) {
    process.stderr.write(`${error.message}\nSee: npm run operator -- ${command.name} --help\n`);
    return CALLED_WRONGLY;
  }
  if (error instanceof Unavailable)
    process.stderr.write(
      `The database is in trouble or too busy: ${reasonOf(error.cause).split("\n")[0]}\n` +
        "Look with audit whether an action was done before you repeat it.\n",
    );
  else if (error instanceof ServiceError) process.stderr.write(`${error.message}\n`);
  else sayWhyNot("That did not work.", error);
  return REFUSED;
}
