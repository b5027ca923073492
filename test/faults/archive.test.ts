/**
 * The guarantee: after any change of leaders the archive has every change (Decision 0132), by the
 * shipped scripts: a node that leads archives again what the one before it may not have, and a file
 * of a timeline that was left is no reason to stop. `npm run drill -- --cluster` does it for real.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, beforeEach, describe, test } from "node:test";
import { inFolder } from "../../testkit/guide/paths.ts";

const ALREADY_THERE = 45;
/** They parted in the file 24 of timeline 6, and in the file 2A of timeline 7. */
const HISTORY = [
  "6\t0/24A3B1C8\tno recovery target specified",
  "",
  "7\t0/2A0000A0\tno recovery target specified",
  "",
].join("\n");
const root = mkdtempSync(path.join(tmpdir(), "windward-archive-"));
const data = inFolder(root, "/var/lib/postgresql/15/windward");
const wal = path.join(data, "pg_wal");
const states = path.join(wal, "archive_status");
after(() => rmSync(root, { recursive: true }));

function install(name: string): string {
  const file = path.join(root, name);
  const shipped = new URL(`../../docs/operations/${name}`, import.meta.url);
  writeFileSync(file, inFolder(root, readFileSync(shipped, "utf8")), { mode: 0o755 });
  return file;
}

/** `pgbackrest` ends with this code. */
function archive(segment: string, code: number, { by = "pg_wal" } = {}) {
  const bin = path.join(root, "bin");
  mkdirSync(bin, { recursive: true });
  const stub = `#!/bin/sh\necho "$*" >> ${root}/asked\nexit ${code}\n`;
  writeFileSync(path.join(bin, "pgbackrest"), stub, { mode: 0o755 });
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  return spawnSync(install("pgbackrest-push.sh"), [`${by}/${segment}`], { cwd: data, env });
}

beforeEach(() => {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(states, { recursive: true });
  writeFileSync(path.join(wal, "00000007.history"), HISTORY.split("\n").slice(0, 2).join("\n"));
  writeFileSync(path.join(wal, "00000008.history"), HISTORY);
});

describe("a file that the archive has already with other contents", () => {
  for (const [segment, what] of [
    ["000000060000000000000024", "in which they parted"],
    ["000000060000000000000025", "after they parted"],
    ["00000007000000000000002A", "in which they parted last"],
    ["000000060000000100000000", "of the next 4 GB"],
  ] as const)
    test(`${segment}, ${what}, is left out, and said`, () => {
      for (const by of ["pg_wal", wal]) {
        const { status, stderr } = archive(segment, ALREADY_THERE, { by });
        assert.equal(status, 0, String(stderr));
        assert.match(String(stderr), new RegExp(`^${segment} is left out`));
      }
    });

  for (const [segment, what] of [
    ["000000060000000000000023", "before they parted"],
    ["00000007000000000000001F", "before they parted, though after it begun"],
    ["00000008000000000000002A", "of today's timeline"],
    ["00000009000000000000002C", "of a timeline that no history knows"],
  ] as const)
    test(`${segment}, ${what}, is refused`, () => {
      assert.equal(archive(segment, ALREADY_THERE).status, ALREADY_THERE);
    });

  test("is refused where nobody ever parted", () => {
    for (const name of readdirSync(wal))
      if (name.endsWith(".history")) rmSync(path.join(wal, name));
    assert.equal(archive("000000010000000000000024", ALREADY_THERE).status, ALREADY_THERE);
  });
});

test("whatever else goes wrong is tried again, and what is archived is done", () => {
  for (const code of [0, 1, 103])
    assert.equal(archive("000000060000000000000024", code).status, code);
  const asked = readFileSync(path.join(root, "asked"), "utf8").trim().split("\n").at(-1);
  assert.equal(asked, "--stanza=windward archive-push pg_wal/000000060000000000000024");
});

describe("when a node begins to lead", () => {
  const [kept, gone] = ["00000007000000000000002A", "000000070000000000000020"];
  const call = (role: string) =>
    spawnSync(install("archive-again.sh"), ["on_role_change", role, "windward"]);

  beforeEach(() => {
    writeFileSync(path.join(wal, kept), "");
    for (const name of [kept, gone]) writeFileSync(path.join(states, `${name}.done`), "");
    // Without it a restore does not find what came later.
    writeFileSync(path.join(states, "00000008.history.done"), "");
  });

  for (const role of ["master", "primary"])
    test(`as ${role}, it archives again what it has`, () => {
      const { status, stderr } = call(role);
      assert.equal(status, 0, String(stderr));
      const found = readdirSync(states).toSorted();
      assert.deepEqual(
        found,
        ["00000008.history.ready", `${gone}.done`, `${kept}.ready`].toSorted(),
      );
    });

  test("and does nothing when it follows, or has nothing", () => {
    assert.equal(call("replica").status, 0);
    assert(existsSync(path.join(states, `${kept}.done`)));
    for (const name of readdirSync(states)) rmSync(path.join(states, name));
    assert.equal(call("master").status, 0);
  });
});
