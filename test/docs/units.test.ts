/**
 * The guarantee: systemd understands every unit that docs/operations.md installs, key by key, and
 * finds the programs they start where the guide puts them. Debian's own systemd-analyze reads them
 * beside its own units; nothing is started.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unpackDebianPackage } from "../../testkit/debian-package.ts";

const SHIPPED = fileURLToPath(new URL("../../docs/operations/", import.meta.url));
const INSTANCES: Readonly<Record<string, string>> = {
  "windward-web.service": "3001",
  "windward-backup.service": "full",
};

const root = mkdtempSync(path.join(tmpdir(), "windward-units-"));
const folder = path.join(root, "etc/systemd/system");
const units = readdirSync(SHIPPED).filter((name) => /\.(service|timer)$/.test(name));

before(
  async () => {
    await unpackDebianPackage(
      { name: "systemd", program: "usr/bin/systemd-analyze", libraries: ["usr/lib/systemd"] },
      { folder: root, launcher: "analyze" },
    );
    mkdirSync(folder, { recursive: true });
    for (const name of units) {
      const unit = readFileSync(path.join(SHIPPED, name), "utf8");
      cpSync(path.join(SHIPPED, name), path.join(folder, templateOf(name)));
      const program = /^ExecStart=(\S+)/m.exec(unit)?.[1];
      if (program !== undefined) pretend(path.join(root, program));
    }
  },
  { timeout: 300_000 },
);
after(() => rmSync(root, { recursive: true }));

/** Whether a program is there is all that is asked of it. */
function pretend(program: string): void {
  mkdirSync(path.dirname(program), { recursive: true });
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
}

const templateOf = (name: string) =>
  INSTANCES[name] === undefined ? name : name.replace(".", "@.");
const instanceOf = (name: string) => name.replace(".", `@${INSTANCES[name]}.`);

function verify(name: string) {
  const unit = path.join(folder, INSTANCES[name] === undefined ? name : instanceOf(name));
  return promisify(execFile)(path.join(root, "analyze"), ["verify", `--root=${root}`, unit]);
}

for (const name of units)
  test(`systemd has no complaint about ${name}`, async () => {
    const { stderr } = await verify(name);
    assert.equal(stderr, "");
  });

test("it would name a key that it does not know", async () => {
  const [name = ""] = units.filter((one) => one.endsWith(".timer"));
  const wrong = readFileSync(path.join(SHIPPED, name), "utf8").replace("Persistent", "Persistant");
  writeFileSync(path.join(folder, name), wrong);
  assert.match((await verify(name)).stderr, /Unknown key 'Persistant'/);
});
