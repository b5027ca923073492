/** npm as a process. What it says is read, whatever its exit code. */

import { spawn } from "node:child_process";
import process from "node:process";

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function npm(args: readonly string[], cwd = process.cwd()): Promise<Said> {
  const child = spawn("npm", args, {
    cwd,
    env: { ...process.env, npm_config_update_notifier: "false" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text) => {
      said[name] += text;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, ...said };
}
