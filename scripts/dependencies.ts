/**
 * `npm run deps`: writes docs/dependencies.md, what others wrote that Windward is made of.
 * Asks the registry, installs what production needs into a temporary folder, and takes our
 * judgement of each package from `dependencies/verdicts.ts`.
 *
 * The registry comes first: without it nothing is measured and the document stays as it is.
 *
 * Not `npm run dependencies`: npm runs a script of that name by itself, after each install.
 */

import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { readCommand } from "../testkit/tool/command.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../testkit/tool/say.ts";
import { audits } from "./dependencies/audits.ts";
import { measureInstall } from "./dependencies/install.ts";
import { directOf, productionPackages, readLock } from "./dependencies/lock-file.ts";
import { askRegistry, RegistryIsSilent } from "./dependencies/registry.ts";
import { renderReport } from "./dependencies/report.ts";

const PROJECT = path.resolve(import.meta.dirname, "..");
const DOCUMENT = "docs/dependencies.md";
const LISTING_BYTES_MAX = 16 * 1024 * 1024;

readCommand({
  name: "deps",
  about:
    `Writes ${DOCUMENT}: version, licence, size and keeping of each package that Windward needs, ` +
    "the audits of npm, and the size of a production install. It needs npm's registry.",
  takes: "Takes two minutes.",
  options: {},
});

await runTool("dependencies", async ({ folder }) => {
  const lock = readLock(PROJECT);
  const packages = productionPackages(lock);
  const production = directOf(lock, "dependencies");
  const development = directOf(lock, "devDependencies");
  const asked = [...packages, ...development];
  say(`asking the registry about ${asked.length} packages`);
  let doing = "asking the registry";
  whenQuiet(() => `still ${doing}`);
  const answers = await askRegistry(asked).catch((error) => {
    if (!(error instanceof RegistryIsSilent)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  });
  if (answers === undefined) return false;
  doing = "installing what production needs";
  say(doing);
  const files = projectFiles();
  const installed = await measureInstall({ project: PROJECT, files, folder, packages });
  doing = "asking for npm's audits";
  say(doing);
  const audited = await audits(PROJECT);
  const measuredOn = new Date().toISOString().slice(0, "yyyy-mm-dd".length);
  const facts = {
    lock,
    packages,
    production,
    development,
    answers,
    installed,
    audited,
    measuredOn,
  };
  writeFileSync(path.join(PROJECT, DOCUMENT), renderReport(facts));
  say(`wrote ${DOCUMENT}`);
  return true;
});

function projectFiles(): string[] {
  const listing = execFileSync("git", ["ls-files", "-z"], {
    cwd: PROJECT,
    encoding: "utf8",
    maxBuffer: LISTING_BYTES_MAX,
  });
  return listing.split("\0").filter((file) => file !== "" && existsSync(path.join(PROJECT, file)));
}
