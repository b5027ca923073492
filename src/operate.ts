/**
 * One command of the operator (Decision 0031), from the words that were typed to the exit code. It
 * works on the database of the settings, or on the embedded one of a Windward that is running,
 * beside it and with connections of its own.
 *
 * The process is passed in as a `Terminal`, so tests run hundreds of commands in one process.
 */

import { readConfig } from "./infra/config.ts";
import { demandSettings, openDatabase } from "./infra/db/database.ts";
import { migrate } from "./infra/db/migrate.ts";
import { CannotStartDatabase } from "./infra/embedded-postgres/cannot-start-database.ts";
import { findRunningPostgres } from "./infra/embedded-postgres/cluster.ts";
import { createLog } from "./infra/log.ts";
import { reasonOf } from "./infra/process/startup-error.ts";
import { OperatorError, ServiceError, Unavailable } from "./kit/errors.ts";
import { createPasswords } from "./modules/accounts/passwords.ts";
import { createGateways } from "./modules/gateway/create-gateways.ts";
import type { Gateways } from "./modules/gateway/port.ts";
import { createAct } from "./modules/operator/act.ts";
import type { Command, Report } from "./modules/operator/command.ts";
import { COMMANDS } from "./modules/operator/commands.ts";
import { filesOnDisk } from "./modules/operator/exchange-file.ts";
import { helpOf, overview } from "./modules/operator/help.ts";
import { type Arguments, readArguments, WrongUsage } from "./modules/operator/read-arguments.ts";
import { plain, renderJson } from "./modules/operator/render.ts";

const CONNECTIONS_MAX = 2;
const REFUSED = 1;
const CALLED_WRONGLY = 2;

export interface Terminal {
  readonly settings: Parameters<typeof readConfig>[0];
  /** The operator's working directory: relative paths start here. */
  readonly folder: string;
  readStdin(): Promise<string>;
  writeAnswer(text: string): void;
  /** Everything but the answer. */
  writeError(text: string): void;
}

/** Returns the exit code. */
export async function operate(words: readonly string[], terminal: Terminal): Promise<number> {
  const [wanted, ...typed] = words;
  const command = COMMANDS.find((one) => one.name === wanted);
  if (command === undefined) return answerWithout(wanted, terminal);
  if (typed.some((word) => word === "--help" || word === "-h"))
    return say(terminal, helpOf(command));
  try {
    const parsed = readArguments(command, typed);
    const report = await carryOut(command, parsed, terminal);
    say(terminal, parsed.json ? renderJson(report.data) : report.text);
    return report.isBad === true ? REFUSED : 0;
  } catch (error) {
    return complain(error, command, terminal);
  }
}

function answerWithout(wanted: string | undefined, terminal: Terminal): number {
  if (wanted === "--help" || wanted === "-h" || wanted === "help")
    return say(terminal, overview(COMMANDS));
  const unknown = wanted === undefined ? "" : `There is no command "${plain(wanted)}".\n\n`;
  terminal.writeError(`${unknown}${overview(COMMANDS)}\n`);
  return CALLED_WRONGLY;
}

async function carryOut(
  command: Command,
  { input, signature }: Arguments,
  { settings, folder, readStdin, writeError }: Terminal,
): Promise<Report> {
  const config = readConfig(settings);
  const log = createLog({ level: "warn", write: writeError });
  const { dataDir } = config.database;
  const url = config.database.url ?? (await findRunningPostgres(dataDir));
  if (url === undefined)
    throw new CannotStartDatabase(
      `No Windward is running on ${dataDir}. Start it first, or set DATABASE_URL.`,
    );
  await migrate({ url, log, isProduction: config.database.isProduction });
  const db = openDatabase({ url, connectionsMax: CONNECTIONS_MAX, log });
  let gateways: Gateways | undefined;
  const sayProgress = (text: string) => writeError(`${text}\n`);
  try {
    await demandSettings(db);
    return await command.run(
      {
        config,
        db,
        log,
        passwords: createPasswords(config.passwords, log),
        gateways() {
          gateways ??= createGateways({ config, db, log });
          return gateways;
        },
        readStdin,
        sayProgress,
        searchMsMax: Number.POSITIVE_INFINITY,
        purposes: async () => (await import("./app.ts")).purposes,
        files: filesOnDisk(folder),
        commands: COMMANDS,
        may: () => true,
      },
      input,
      createAct(db, signature),
    );
  } finally {
    gateways?.live?.stop();
    await db.close();
  }
}

function say(terminal: Terminal, text: string): number {
  terminal.writeAnswer(`${text}\n`);
  return 0;
}

function complain(error: unknown, command: Command, { writeError }: Terminal): number {
  if (error instanceof WrongUsage) {
    writeError(`${error.message}\nSee: npm run operator -- ${command.name} --help\n`);
    return CALLED_WRONGLY;
  }
  if (error instanceof Unavailable)
    writeError(
      `The database is in trouble or too busy: ${reasonOf(error.cause).split("\n")[0]}\n` +
        "Look with audit whether an action was done before you repeat it.\n",
    );
  else if (error instanceof ServiceError || error instanceof OperatorError)
    writeError(`${error.message}\n`);
  else writeError(`\nThat did not work. ${reasonOf(error)}\n`);
  return REFUSED;
}
