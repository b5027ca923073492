/**
 * The shops of examples/, run as merchants run them: each a process of its own, told by its
 * environment where Windward is (Decision 0111). A new shop is a row here, and the journeys run it.
 *
 * Every shop has `GET /` (goods), `POST /buy` (303 to the payment page), `GET /paid` (the result),
 * `POST /webhook` and `GET /orders[?order_id=]`, and prints its address when it is open.
 */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { KEPT_SETTINGS } from "./kept-settings.ts";
import { lazy } from "./lazy.ts";
import { findPhp } from "./php.ts";
import { findPython } from "./python.ts";
import { until } from "./until.ts";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));
const EXAMPLES = path.join(PROJECT, "examples");
const TSC = path.join(PROJECT, "node_modules/typescript/bin/tsc");
/** As they are installed beside a shop; fastify finds its own in the project. */
const PACKAGES = ["fastify", "openapi-fetch", "openapi-typescript-helpers", "commander"];
/** The first start of the TypeScript shop builds the SDK. */
const OPEN_SECONDS_MAX = 120;

/** WINDWARD_URL, WINDWARD_WEBHOOK_SECRET and what else a shop reads. */
export type ShopSettings = Readonly<Record<string, string>>;

export interface RunningShop {
  readonly url: string;
  stop(): Promise<void>;
}

export interface ExampleShop {
  readonly name: string;
  start(settings: ShopSettings): Promise<RunningShop>;
}

export const EXAMPLE_SHOPS: readonly ExampleShop[] = [
  {
    name: "TypeScript",
    start: (settings) => startShop({ command: ["npm", "start"], cwd: "shop-typescript" }, settings),
  },
  { name: "PHP", start: startPhpShop },
  {
    name: "Python",
    start: async (settings) =>
      startShop({ command: [await findPython(), "shop.py"], cwd: "shop-python" }, settings),
  },
];

/** PHP's own server is told its address, and says it in its own words. */
async function startPhpShop(settings: ShopSettings): Promise<RunningShop> {
  const port = settings.PORT ?? String(await freePort());
  const folder = await mkdtemp(path.join(tmpdir(), "windward-shop-php-"));
  const command = [await findPhp(), "-S", `127.0.0.1:${port}`, "shop.php"];
  // Several processes, as in production: what one writes, the others must not lose.
  const own = { PHP_CLI_SERVER_WORKERS: "4", ORDERS_FILE: path.join(folder, "orders.json") };
  const shop = await startShop({ command, cwd: "shop-php" }, { ...settings, ...own });
  const stop = () => shop.stop().then(() => rm(folder, { recursive: true, force: true }));
  return { url: shop.url, stop };
}

interface Launch {
  readonly command: readonly string[];
  /** Below examples/, or absolute. */
  readonly cwd: string;
}

/** Open when it prints its address. */
async function startShop({ command, cwd }: Launch, settings: ShopSettings): Promise<RunningShop> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: path.resolve(EXAMPLES, cwd),
    env: { ...process.env, ...KEPT_SETTINGS, PORT: String(await freePort()), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let isRunning = true;
  ended.then(() => {
    isRunning = false;
  });
  const address = () => /(?:open: |Server \()(http:\/\/[^\s)]+)/.exec(said)?.[1];
  await until(() => address() !== undefined || !isRunning, "the shop is open", OPEN_SECONDS_MAX);
  const url = address();
  if (url === undefined) throw new Error(`The shop did not open:\n${said}`);
  return {
    url,
    async stop() {
      endGroup(child);
      await ended;
    },
  };
}

/** It and what it started: npm does not pass on what it is told. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/**
 * A shop of examples/ in TypeScript by its file, from a copy beside an installed SDK: so that shops
 * that start at the same time do not build the SDK under each other.
 */
export async function startCopiedShop(file: string, settings: ShopSettings): Promise<RunningShop> {
  const cwd = path.join(await lazy("example-shops", copyExamples), "examples");
  return startShop({ command: [process.execPath, file], cwd }, settings);
}

async function copyExamples(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "windward-examples-"));
  const modules = path.join(folder, "node_modules");
  const sdk = path.join(modules, "@windward/sdk");
  await mkdir(sdk, { recursive: true });
  const build = [TSC, "-p", path.join(PROJECT, "sdk"), "--outDir", path.join(sdk, "dist")];
  await promisify(execFile)(process.execPath, build);
  await cp(path.join(PROJECT, "sdk/package.json"), path.join(sdk, "package.json"));
  for (const name of PACKAGES)
    await symlink(path.join(PROJECT, "node_modules", name), path.join(modules, name));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  await cp(EXAMPLES, path.join(folder, "examples"), { recursive: true });
  return folder;
}
