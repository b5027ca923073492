/**
 * One machine of the three-node drill: a namespace, a folder in which the guide's paths are, and
 * units that are kept running as systemd would. It can be frozen, lose its power and get it back.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  killAllIn,
  type MachineName,
  namespaceOf,
  pidsIn,
  plugInAgain,
  pullCable,
  signalAll,
} from "./network.ts";

/** As RestartSec of docs/operations/restart-always.conf says. */
const RESTART_MS = 2_000;
const STOP_MS_MAX = 30_000;
const FREEZE_TURNS = 5;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Who it runs as. */
  readonly user: "root" | "postgres";
}

interface Unit {
  readonly command: () => Promise<Command>;
  /** As `Type=oneshot`: its start lasts until it has ended, and fails when it does. */
  readonly isOneshot: boolean;
  child: ChildProcess | undefined;
  isWanted: boolean;
}

export class Machine {
  readonly name: MachineName;
  readonly folder: string;
  readonly #units = new Map<string, Unit>();
  #hasPower = true;

  constructor(name: MachineName, folder: string) {
    this.name = name;
    this.folder = folder;
  }

  /** What stands before a command so that it runs here. */
  entry(user: Command["user"]): string[] {
    const inside = [`--net=/run/netns/${namespaceOf(this.name)}`];
    const as = user === "root" ? [] : ["setpriv", `--reuid=${user}`, `--regid=${user}`];
    return ["nsenter", ...inside, "--", ...as, ...(user === "root" ? [] : ["--init-groups"])];
  }

  define(name: string, command: () => Promise<Command>): void {
    this.#units.set(name, { command, isOneshot: false, child: undefined, isWanted: false });
  }

  defineOneshot(name: string, command: () => Promise<Command>): void {
    this.#units.set(name, { command, isOneshot: true, child: undefined, isWanted: false });
  }

  async start(name: string): Promise<void> {
    const unit = this.#unit(name);
    if (unit.isOneshot) return this.#runOnce(name, unit);
    if (unit.isWanted) return;
    unit.isWanted = true;
    await this.#run(name, unit);
  }

  /** What its unit wrote, in all of its runs. */
  logOf(name: string): Promise<string> {
    return readFile(this.#logFile(name), "utf8");
  }

  async stop(name: string): Promise<void> {
    const unit = this.#unit(name);
    unit.isWanted = false;
    const { child } = unit;
    if (child === undefined) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const isLate = await Promise.race([ended.then(() => false), sleep(STOP_MS_MAX, true)]);
    if (isLate) child.kill("SIGKILL");
  }

  pidOf(name: string): number {
    return this.#unit(name).child?.pid ?? 0;
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#unit(name).child?.kill(signal);
  }

  /** Every process, again and again, because one of them may just be starting another. */
  async freeze(): Promise<void> {
    for (let turn = 0; turn < FREEZE_TURNS; turn++) {
      signalAll(await pidsIn(this.name), "SIGSTOP");
      await sleep(10);
    }
  }

  async thaw(): Promise<void> {
    signalAll(await pidsIn(this.name), "SIGCONT");
  }

  /** First the cable: a machine without power says goodbye to nobody. */
  async losePower(): Promise<void> {
    this.#hasPower = false;
    await pullCable(this.name);
    await killAllIn(this.name);
  }

  async getPower(): Promise<void> {
    this.#hasPower = true;
    await plugInAgain(this.name);
    for (const [name, unit] of this.#units) if (unit.isWanted) await this.#run(name, unit);
  }

  /** Another machine in its place, on which no unit was ever enabled. */
  async becomeNew(): Promise<void> {
    for (const unit of this.#units.values()) unit.isWanted = false;
    await this.getPower();
  }

  #unit(name: string): Unit {
    const unit = this.#units.get(name);
    if (unit === undefined) throw new Error(`${this.name} has no unit ${name}`);
    return unit;
  }

  #logFile(name: string): string {
    return path.join(this.folder, `${name}.log`);
  }

  async #runOnce(name: string, unit: Unit): Promise<void> {
    const child = await this.#spawn(name, unit);
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`${name} failed: ${await this.logOf(name)}`);
  }

  async #run(name: string, unit: Unit): Promise<void> {
    const child = await this.#spawn(name, unit);
    unit.child = child;
    child.once("exit", () => {
      if (unit.child === child) unit.child = undefined;
      void this.#startAgain(name, unit);
    });
  }

  async #spawn(name: string, { command }: Unit): Promise<ChildProcess> {
    const { program, args, env, user } = await command();
    await mkdir(this.folder, { recursive: true });
    const log = await open(this.#logFile(name), "a");
    const [first = "", ...rest] = [...this.entry(user), program, ...args];
    const child = spawn(first, rest, {
      cwd: this.folder,
      env: { ...env },
      stdio: ["ignore", log.fd, log.fd],
    });
    await log.close();
    return child;
  }

  async #startAgain(name: string, unit: Unit): Promise<void> {
    await sleep(RESTART_MS, undefined, { ref: false });
    if (unit.isWanted && this.#hasPower && unit.child === undefined) await this.#run(name, unit);
  }
}
