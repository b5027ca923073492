/**
 * The daily round, `npm run check`: format, lint, types, unused code, the house rules and unit
 * tests, in under a minute. The tests run beside the rest; all of it runs, whatever fails first.
 */

import { spawn } from "node:child_process";
import path from "node:path";
import { say } from "../testkit/tool/say.ts";

const PROJECT = path.resolve(import.meta.dirname, "..");
const LANES = [
  ["format", "lint", "types", "unused"].map((name) => [name]),
  [["test:all", "--", "check"]],
];

const results = await Promise.all(LANES.map(runInTurn));
process.exitCode = results.flat().every((code) => code === 0) ? 0 : 1;

async function runInTurn(lane: readonly string[][]): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (const script of lane) codes.push(await runScript(script));
  return codes;
}

/** Its output comes in one piece, so that the lanes do not mix. */
async function runScript(script: readonly string[]): Promise<number | null> {
  const beganAt = performance.now();
  const child = spawn("npm", ["run", "--silent", ...script], {
    cwd: PROJECT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  if (code !== 0 || script[0] === "test:all") say(output.trimEnd());
  say(`${code === 0 ? "✔" : "✖"} ${script[0]} ${seconds} s`);
  return code;
}
