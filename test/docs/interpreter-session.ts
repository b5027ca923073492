/**
 * An interpreter as a process: pieces of code go in as lines of base64, and what each printed comes
 * back as one. Its network, hashes and parsers are its own.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Session } from "./session.ts";

/** `main` reads the lines, and answers each with `said` or `failed` and base64. */
export function openInterpreter(program: string, main: readonly string[]): Session {
  const child = spawn(program, main, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(code) {
      child.stdin.write(`${Buffer.from(code).toString("base64")}\n`);
      const { value: line = "failed " } = await lines.next();
      const [how, base64 = ""] = line.split(" ");
      const said = Buffer.from(base64, "base64").toString();
      if (how !== "said") throw new Error(said);
      return said;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
