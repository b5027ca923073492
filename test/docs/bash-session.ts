/** A bash that runs commands line by line. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import type { Session } from "./session.ts";

const DONE = "--this piece is done--";

/** Undefined where there is no bash or no curl. */
export function openBash(): Session | undefined {
  try {
    for (const program of ["bash", "curl"])
      execFileSync(program, ["--version"], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  const shell = spawn("bash", ["-e", "-u", "-o", "pipefail"], { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  shell.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(shell, "close");
  return {
    async run(code) {
      said = "";
      shell.stdin.write(`${code}\necho "${DONE}"\n`);
      while (!said.includes(DONE)) {
        const [code] = await Promise.race([ended, once(shell.stdout, "data")]);
        if (typeof code === "number") throw new Error(`bash ended with ${code}: ${said}`);
      }
      return said.replace(DONE, "");
    },
    async close() {
      shell.stdin.end();
      await ended;
    },
  };
}
