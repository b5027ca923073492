/** Why a command of ours did not work, in words of a person who wants it to. */

import process from "node:process";
import { SchemaIsNewer } from "../db/migrate.ts";
import { CannotStartDatabase } from "../embedded-postgres/cannot-start-database.ts";
import { BadSettings } from "../settings-reader.ts";

export function sayWhyNot(what: string, error: unknown): void {
  process.stderr.write(`\n${what} ${reasonOf(error)}\n`);
}

function reasonOf(error: unknown): string {
  if (error instanceof BadSettings || error instanceof CannotStartDatabase) return error.message;
  if (error instanceof SchemaIsNewer) return error.message;
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is taken. Stop whatever uses it, or set PORT to another.`;
  if (code === "EACCES" && port !== undefined)
    return `Port ${port} needs more rights than this user has. Set PORT to one above 1023.`;
  if (code === "EADDRNOTAVAIL") return `This machine has no address ${address}. Set HOST.`;
  if (code === "ECONNREFUSED" || code === "ENOTFOUND")
    return "PostgreSQL at DATABASE_URL does not answer. Is it running, and is the address right?";
  if (code === "28P01" || code === "28000")
    return "PostgreSQL at DATABASE_URL refuses the user or the password.";
  if (code === "3D000")
    return "The database named in DATABASE_URL does not exist. Create it first.";
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
