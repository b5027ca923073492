/**
 * A tool as small as can be, for tests that stop it: it has a child in a process group of its own,
 * one that stands in the tool's folder and has lost its parent, and a file. `node victim.ts <way>
 * <note>`: how it behaves, and a file outside to which it writes what it did in the end.
 */

import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runTool } from "../../testkit/tool/run-tool.ts";

const [way = "", note = ""] = process.argv.slice(2);
const never = new Promise<never>(() => setInterval(() => {}, 1_000));
const wrote = async (word: string) => appendFileSync(note, `${word}\n`);

await runTool("victim", async (tool) => {
  writeFileSync(path.join(tool.folder, "file"), "");
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  const orphan = spawn("sh", ["-c", "sleep 60 & echo $!"], { cwd: tool.folder, detached: true });
  const pid = await new Promise((resolve) => orphan.stdout.once("data", resolve));
  const tell = () => process.stdout.write(`${tool.folder} ${child.pid} ${String(pid).trim()}\n`);
  if (way === "starting") {
    const start = () => sleep(300, "server");
    const starting = tool.keep(start, (server) => wrote(`ended the ${server}`));
    tell();
    await starting;
  }
  tool.add(() => wrote("first"));
  tool.add(() => (way === "hanging" ? never : sleep(50)));
  tool.add(() => wrote("last"));
  tell();
  if (way === "failing") throw new Error("it went wrong");
  if (way === "busy") return sleep(20, true);
  return never;
});
