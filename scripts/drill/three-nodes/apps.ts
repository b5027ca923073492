/**
 * The machines of the service in the three-node drill: on each a web process, a worker, and HAProxy
 * as the one address of the database.
 */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { type AskOptions, ask } from "../../../testkit/ask.ts";
import { type Running, start } from "../../../testkit/processes.ts";
import type { Merchant } from "../callers.ts";
import { drillSettings, openMerchants } from "../service.ts";
import type { DatabaseCluster } from "./database.ts";
import { onMachine, runGuide } from "./guide.ts";
import { Machine } from "./machine.ts";
import { untilTrue } from "./members.ts";
import { APPS, type AppName, namespaceOf, publicAddressOf } from "./network.ts";
import type { Packages } from "./packages.ts";

const PORT = 3001;
const PUBLIC_URL = "http://drill.example";
const CONFIG = "/etc/haproxy/haproxy.cfg";
const READY_MS_MAX = 30_000;

const ROLES = ["web", "worker"] as const;
type Role = (typeof ROLES)[number];

interface App {
  readonly name: AppName;
  /** Where callers reach its web process. */
  readonly url: string;
  /** Another process, of this version, in place of the one that ran until now. */
  restart(role: Role): Promise<void>;
  /** Both processes, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** What has ended that nobody ended. */
  losses(): string[];
  /** What its processes wrote, errors of the service above all. */
  logs(): string;
}

export interface Service {
  readonly apps: readonly App[];
  readonly merchants: readonly Merchant[];
}

/** What became of the lists that the standby may serve, of the web processes that run now. */
export async function readsOf({ apps }: Service): Promise<string> {
  const counts = new Map<string, number>();
  for (const { url } of apps) {
    const { text } = await ask(`${url}/metrics`);
    const found = text.matchAll(/^windward_standby_reads_total\{outcome="(\w+)"\} ([1-9]\d*)$/gm);
    for (const [, outcome = "", count] of found)
      counts.set(outcome, (counts.get(outcome) ?? 0) + Number(count));
  }
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
}

export async function startApps(
  cluster: DatabaseCluster,
  packages: Packages,
  { folder, previous }: { folder: string; previous: string | undefined },
): Promise<Service> {
  for (const name of APPS) await startProxy(new Machine(name, path.join(folder, name)), packages);
  const [first, ...others] = APPS;
  const apps: App[] = [await startApp(first, cluster, { folder, previous })];
  for (const name of others) apps.push(await startApp(name, cluster, { folder, previous }));
  const { name } = await cluster.leader();
  const [web] = apps;
  if (web === undefined) throw new Error("the service has a machine");

  const asking = { ask: (route: string, asked?: AskOptions) => ask(web.url + route, asked) };
  const merchants = await openMerchants(asking, cluster.urlOf(name));
  return { apps, merchants };
}

/** The shipped file, by the guide's command. */
async function startProxy(machine: Machine, packages: Packages): Promise<void> {
  for (const made of ["/etc/haproxy", "/run/haproxy"])
    await mkdir(onMachine(machine, made), { recursive: true });
  machine.define("haproxy", async () => {
    const own = path.join(machine.folder, "haproxy.cfg");
    const shipped = await readFile(onMachine(machine, CONFIG), "utf8");
    await writeFile(own, onMachine(machine, shipped));
    return {
      program: packages.pathOf("haproxy"),
      args: ["-db", "-f", own],
      env: packages.env,
      user: "root",
    };
  });
  await runGuide("proxy", { machine, env: packages.env });
}

async function startApp(
  name: AppName,
  cluster: DatabaseCluster,
  { folder, previous }: { folder: string; previous: string | undefined },
): Promise<App> {
  const node = path.join(folder, name, "node");
  const inside = `nsenter --net=/run/netns/${namespaceOf(name)}`;
  await writeFile(node, `#!/bin/sh\nexec ${inside} -- ${process.execPath} "$@"\n`, { mode: 0o755 });
  const url = `http://${publicAddressOf(name)}:${PORT}`;
  const launch = (role: Role, project?: string) =>
    start({
      node,
      project,
      settings: {
        ...drillSettings(cluster.serviceUrl),
        STANDBY_DATABASE_URL: cluster.standbyUrl,
        HOST: publicAddressOf(name),
        PORT: String(PORT),
        // One for both, as behind a proxy: a token of either is good for the other.
        PUBLIC_URL,
        LOG_LEVEL: "error",
        ROLE: role,
      },
    });
  const running = new Map<Role, Running>();
  for (const role of ROLES) running.set(role, await launch(role, previous));
  const begin = async (role: Role) => {
    running.set(role, await launch(role));
    if (role === "web") await untilReady(name, url);
  };
  return {
    name,
    url,
    async restart(role) {
      await running.get(role)?.stop();
      await begin(role);
    },
    async stop() {
      for (const one of running.values()) await one.stop();
    },
    async start() {
      for (const role of ROLES) await begin(role);
    },
    logs: () => [...running.values()].map((one) => one.stdout() + one.stderr()).join("\n"),
    losses: () =>
      [...running]
        .filter(
          ([
            ,
            {
              process: { exitCode, signalCode },
            },
          ]) => (exitCode ?? signalCode) !== null,
        )
        .map(([role, { stderr }]) => `the ${role} of ${name} has ended: ${stderr().trim()}`),
  };
}

async function untilReady(name: AppName, url: string): Promise<void> {
  await untilTrue(`${name} is ready`, READY_MS_MAX, () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
}
