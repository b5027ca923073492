/** Starts the bare route with the bodies that it is to send, by path. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const BARE_FASTIFY = fileURLToPath(new URL("bare-fastify.ts", import.meta.url));

export interface Bare {
  readonly pid: number;
  readonly address: string;
  end(): void;
}

/** Bodies are JSON, as the service sent them. */
export async function startBare(bodies: Readonly<Record<string, string>>): Promise<Bare> {
  const parsed = Object.entries(bodies).map(([path, body]) => [path, JSON.parse(body)]);
  const bare: ChildProcess = spawn(
    process.execPath,
    [BARE_FASTIFY, JSON.stringify(Object.fromEntries(parsed))],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const [{ address }] = await once(bare, "message");
  return { pid: bare.pid ?? 0, address, end: () => void bare.kill() };
}
