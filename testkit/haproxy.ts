/**
 * The HAProxy that production has, with the file it has (`docs/operations/haproxy.cfg`), before
 * servers of a test or a bench. Only addresses differ, and TLS is left out: limits, queue and times
 * are the shipped ones.
 */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type DebianPackage, unpackDebianPackage } from "./debian-package.ts";
import { freePort } from "./free-port.ts";
import { lazy } from "./lazy.ts";
import { until } from "./until.ts";

const SHIPPED = fileURLToPath(new URL("../docs/operations/haproxy.cfg", import.meta.url));
const DEBIAN_HAPROXY: DebianPackage = { name: "haproxy", program: "usr/sbin/haproxy" };
const LAUNCHER = "haproxy";

export interface Haproxy {
  readonly url: string;
  readonly pid: number;
  /** A command of its runtime API; gives what it answers. */
  command(line: string): Promise<string>;
  stop(): Promise<void>;
}

/** Before one or two servers, by their addresses. Resolves when it passes requests on. */
export async function startHaproxy(servers: readonly string[]): Promise<Haproxy> {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-haproxy-"));
  const program = await findHaproxy();
  const port = await freePort();
  const socket = path.join(folder, "admin.sock");
  const file = path.join(folder, "haproxy.cfg");
  writeFileSync(file, derivedFile({ port, socket, servers }));
  const child = spawn(program, ["-db", "-f", file], { stdio: ["ignore", "pipe", "pipe"] });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const url = `http://127.0.0.1:${port}`;
  const haproxy: Haproxy = {
    url,
    pid: child.pid ?? 0,
    async command(line) {
      const connection = net.connect(socket);
      connection.end(`${line}\n`);
      return text(connection);
    },
    async stop() {
      process.off("exit", kill);
      kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${(await said).join("\n")}`);
    return fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }, "HAProxy passes requests on");
  return haproxy;
}

function derivedFile(given: { port: number; socket: string; servers: readonly string[] }): string {
  const [whole = ""] = readFileSync(SHIPPED, "utf8").split(/^listen database$/m);
  const replaced: Record<string, string> = {
    ":443 ssl crt /etc/haproxy/windward.pem": `127.0.0.1:${given.port}`,
    "/run/haproxy/admin.sock": given.socket,
  };
  const [first = "", second] = given.servers.map((server) => new URL(server).host);
  replaced["127.0.0.1:3001"] = first;
  if (second !== undefined) replaced["127.0.0.1:3002"] = second;
  let derived = second === undefined ? whole.replace(/^ *server web2 .*\n/gm, "") : whole;
  for (const [shipped, own] of Object.entries(replaced)) {
    if (!derived.includes(shipped)) throw new Error(`haproxy.cfg does not say ${shipped} any more`);
    derived = derived.replaceAll(shipped, own);
  }
  return derived;
}

let unpacked: Promise<string> | undefined;

/** The machine's own where there is one, otherwise Debian's, unpacked once for a run. */
async function findHaproxy(): Promise<string> {
  try {
    return execFileSync("sh", ["-c", "command -v haproxy"], { encoding: "utf8" }).trim();
  } catch {
    const isTest = process.env.TEST_FOLDER !== undefined;
    unpacked ??= isTest ? lazy("haproxy", unpackHaproxy) : unpackHaproxy();
    return path.join(await unpacked, LAUNCHER);
  }
}

async function unpackHaproxy(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-haproxy-package-"));
  await unpackDebianPackage(DEBIAN_HAPROXY, { folder, launcher: LAUNCHER });
  return folder;
}
