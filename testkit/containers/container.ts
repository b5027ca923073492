/** A container: process 1 in a root of its own, what may be run beside it, and how it is ended. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readlinkSync } from "node:fs";
import process from "node:process";
import { childrenOf } from "../process-facts.ts";
import { until } from "../until.ts";
import { commandBeside, commandInRoot, type InRoot } from "./in-root.ts";

const MS_MAX = 60_000;

export interface Wish {
  readonly name: string;
  readonly how: InRoot;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly stopSignal: NodeJS.Signals;
  readonly graceSeconds: number;
}

export interface Container {
  readonly name: string;
  readonly how: InRoot;
  /** Of its process 1, as the machine numbers it. */
  readonly pid: number;
  /** What it wrote until now. */
  output(): string;
  /** Runs a program in it, to its end; gives what it wrote, or fails with it. */
  run(command: readonly string[], input?: string): Promise<string>;
  hasEnded(): boolean;
  isHealthy(): Promise<boolean>;
  /** In order; gives the exit code, or fails when the grace period is over. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

export async function startContainer(wish: Wish): Promise<Container> {
  const child = spawn(...commandInRoot(wish.how, wish.command), {
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Everything in there ends with its process 1, which ends with `unshare`.
  const killNow = () => child.kill("SIGKILL");
  process.once("exit", killNow);
  child.once("exit", () => process.off("exit", killNow));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (said) => {
      output += said;
    });
  const closed = once(child, "close");
  await until(() => hasEnded(child) || firstOf(child) !== undefined, `${wish.name} is there`);
  const pid = firstOf(child);
  if (pid === undefined) throw new Error(`${wish.name} ended at once:\n${output}`);
  const beside = (command: readonly string[], input?: string) =>
    runBeside(pid, { ...wish, command }, input);
  return {
    name: wish.name,
    how: wish.how,
    pid,
    output: () => output,
    run: beside,
    hasEnded: () => hasEnded(child),
    isHealthy: () =>
      beside(wish.healthCheck).then(
        () => true,
        () => false,
      ),
    async stop() {
      if (!hasEnded(child)) process.kill(pid, wish.stopSignal);
      const late = setTimeout(() => {
        output += `\nnot stopped within ${wish.graceSeconds} s`;
        killNow();
      }, wish.graceSeconds * 1000);
      await closed;
      clearTimeout(late);
      return child.exitCode;
    },
    async kill() {
      killNow();
      await closed;
    },
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** The child of `unshare`, once the mounts are made and the root is its own. */
function firstOf(child: ChildProcess): number | undefined {
  try {
    const [pid] = childrenOf(child.pid ?? 0);
    return readlinkSync(`/proc/${pid}/root`) === "/" ? undefined : pid;
  } catch {
    return undefined;
  }
}

function runBeside(
  pid: number,
  { how, command, name }: Pick<Wish, "how" | "command" | "name">,
  input: string | undefined,
): Promise<string> {
  const [program, args] = commandBeside(pid, how, command);
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: MS_MAX }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      reject(new Error(`${command.join(" ")} in ${name} failed: ${stderr || stdout || error}`));
    });
    if (input !== undefined) child.stdin?.end(input);
  });
}
