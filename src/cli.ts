/**
 * What an operator does from a terminal: `npm run operator -- <command>`. It works on the database
 * of the settings, or on the embedded one of a Windward that is running.
 */

import process from "node:process";
import { type Config, readConfig } from "./infra/config.ts";
import { type Database, openDatabase } from "./infra/db/database.ts";
import { migrate } from "./infra/db/migrate.ts";
import { CannotStartDatabase } from "./infra/embedded-postgres/cannot-start-database.ts";
import { findRunningPostgres } from "./infra/embedded-postgres/find-running-postgres.ts";
import { createLog } from "./infra/log.ts";
import { sayWhyNot } from "./infra/process/say-why-not.ts";
import { rotateSigningKeys } from "./modules/auth/signing-keys.ts";

interface Command {
  readonly about: string;
  run(config: Config, db: Database): Promise<string>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  "rotate-signing-keys": {
    about: "sign new tokens with the next key; tokens already out stay good",
    async run(config, db) {
      await rotateSigningKeys(db, config.wrappingKeys);
      return "New tokens are signed with the next key. The old one is published for 12 hours more.";
    },
  },
};

try {
  const name = process.argv[3] ?? "";
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) process.stdout.write(usage());
  else process.stdout.write(`${await operate(command)}\n`);
  process.exitCode = command === undefined ? 2 : 0;
} catch (error) {
  sayWhyNot("That did not work.", error);
  process.exitCode = 1;
}

async function operate(command: Command): Promise<string> {
  const config = readConfig(process.env);
  const log = createLog({ level: "warn" });
  const { dataDir } = config.database;
  const url = config.database.url ?? (await findRunningPostgres(dataDir));
  if (url === undefined)
    throw new CannotStartDatabase(
      `No Windward is running on ${dataDir}. Start it first, or set DATABASE_URL.`,
    );
  await migrate({ url, log });
  const db = openDatabase({ url, connectionsMax: 2, log });
  try {
    return await command.run(config, db);
  } finally {
    await db.close();
  }
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(22)}${about}`);
  return ["Usage: npm run operator -- <command>", "", ...lines, ""].join("\n");
}
