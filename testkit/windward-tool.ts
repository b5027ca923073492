/** `windward` as a process, with folders of its own and nothing of the environment around it. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

export const WINDWARD = path.resolve(import.meta.dirname, "../sdk/bin/windward.mjs");

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Terminal {
  /** Under which the tool keeps its files. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], around?: Around): Promise<Ran>;
  /** One that goes on until it is ended, with what it has said so far. */
  begin(args: readonly string[], around?: Around): Begun;
  close(): void;
}

interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface Begun {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<Ran>;
}

export function openTerminal(env: Readonly<Record<string, string>> = {}): Terminal {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-terminal-"));
  const own = {
    PATH: process.env.PATH ?? "",
    XDG_CONFIG_HOME: path.join(folder, "config"),
    XDG_STATE_HOME: path.join(folder, "state"),
    ...env,
  };
  const begun = new Set<ChildProcess>();
  function begin(args: readonly string[], around: Around = {}): Begun {
    const child = spawn(process.execPath, [WINDWARD, ...args], { env: { ...own, ...around.env } });
    begun.add(child);
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (part) => {
        said[name] += part;
      });
    child.stdin.end(around.stdin ?? "");
    const ended = new Promise<Ran>((resolve) => {
      child.once("close", (code) => resolve({ code, ...said }));
    });
    return { child, said, ended };
  }
  return {
    folder,
    env: own,
    begin,
    run: (args, around) => begin(args, around).ended,
    close() {
      for (const child of begun) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
