/**
 * Backups in docs/operations.md and its files (Decision 0126): settings of both sides fit each
 * other, and the guide installs, enables and watches everything that makes and tests a backup.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { guideBlocks } from "../../testkit/guide/blocks.ts";
import { shippedAlarms } from "../../testkit/prometheus.ts";
import { projectRoot } from "./project-files.ts";

const FOLDER = path.join(projectRoot, "docs/operations");
const files = new Map(
  readdirSync(FOLDER).map((name) => [name, readFileSync(path.join(FOLDER, name), "utf8")]),
);
const page = readFileSync(path.join(projectRoot, "docs/operations.md"), "utf8");
const block = (name: string) => guideBlocks().get(name) ?? "";
const read = (name: string) => files.get(name) ?? "";
const valuesOf = (file: string, key: string | RegExp) =>
  [...read(file).matchAll(/^([\w-]+)=(.*)$/gm)]
    .filter(([, name = ""]) => (typeof key === "string" ? name === key : key.test(name)))
    .map(([, , value = ""]) => value);

const NODES = "pgbackrest.conf";
const REPOSITORY = "pgbackrest-repository.conf";
/** That of certificates is on every machine (test/alarms/certificates.test.ts). */
const timers = [...files.keys()].filter((name) =>
  /^windward-(backup|restore).*\.timer$/.test(name),
);

/** By the names in their certificates. */
function machines(): ReadonlyMap<string, string> {
  const [, list = ""] = /^for node in (.*); do$/m.exec(block("certificates")) ?? [];
  return new Map(list.split(" ").map((one) => one.split("=") as [string, string]));
}

test("each side names the other by the address and the name in its certificate", () => {
  const { backup = "", ...nodes } = Object.fromEntries(machines());
  assert.equal(Object.keys(nodes).length, 3);
  assert.deepEqual(valuesOf(NODES, "repo1-host"), [backup]);
  assert.deepEqual(valuesOf(NODES, "tls-server-auth"), ["backup=windward"]);
  assert.deepEqual(valuesOf(REPOSITORY, "tls-server-address"), [backup]);
  assert.deepEqual(valuesOf(REPOSITORY, /^pg\d-host$/), Object.values(nodes));
  const names = Object.keys(nodes).map((name) => `${name}=windward`);
  assert.deepEqual(valuesOf(REPOSITORY, "tls-server-auth"), names);
});

test("both sides know PostgreSQL where Patroni keeps it", () => {
  const [, folder = ""] = /^ {2}data_dir: (.*)$/m.exec(read("patroni.yml")) ?? [];
  const [, socket = ""] = /unix_socket_directories: (.*)$/m.exec(read("patroni.yml")) ?? [];
  for (const file of [NODES, REPOSITORY]) {
    const of = (key: string) => [...new Set(valuesOf(file, new RegExp(`^pg\\d-${key}$`)))];
    assert.deepEqual([of("path"), of("socket-path")], [[folder], [socket]], file);
  }
});

test("PostgreSQL archives to the stanza that is backed up, and nothing else is used", () => {
  const [, installed = ""] =
    /^install .* -t (\S+) pgbackrest-push\.sh /m.exec(block("settings")) ?? [];
  assert.match(
    read("postgresql.conf"),
    new RegExp(`^archive_command = '${installed}/pgbackrest-push.sh %p'$`, "m"),
  );
  assert.match(read("pgbackrest-push.sh"), /^pgbackrest --stanza=windward archive-push "\$file" /m);
  const used = [...files.values(), page].flatMap((text) => text.match(/--stanza=[\w-]+/g) ?? []);
  assert(used.length > 5);
  assert.deepEqual([...new Set(used)], ["--stanza=windward"]);
});

test("Patroni calls what the guide installs when a node begins to lead", () => {
  const [, called = ""] = /^ {4}on_role_change: (\S+)$/m.exec(read("patroni.yml")) ?? [];
  const [folder, script = ""] = [path.dirname(called), path.basename(called)];
  assert.match(block("settings"), new RegExp(`^install .* -t ${folder} .*\\b${script} `, "m"));
  const [, data = ""] = /^ {2}data_dir: (.*)$/m.exec(read("patroni.yml")) ?? [];
  assert(read(script).includes(`\ncd ${data}/pg_wal/archive_status\n`));
});

test("the guide installs each unit and script, and enables each timer", () => {
  const wanted = [...files.keys()].filter((name) =>
    /^(windward-(backup|restore)|restore\.|restore-test)/.test(name),
  );
  assert(wanted.length >= 7);
  for (const name of wanted) assert(block("backup-machine").includes(` ${name}`), name);
  const [, enabled = ""] = /enable --now (windward-.*)$/m.exec(block("first-backup")) ?? [];
  assert.deepEqual(enabled.split(" ").toSorted(), timers.toSorted());
});

test("each timer starts a unit that is installed, at an hour of its own", () => {
  const hours = timers.map((timer) => {
    const unit = valuesOf(timer, "Unit")[0] ?? timer.replace(".timer", ".service");
    assert(files.has(unit.replace(/@\w+/, "")), unit);
    return valuesOf(timer, "OnCalendar")[0];
  });
  assert.equal(new Set(hours).size, timers.length);
  assert.equal(timers.length, 3);
});

test("the unit of the test starts the script that the guide installs, which may write its report", () => {
  const [, place = ""] = /^install .* -t (\S+) restore\.sh/m.exec(block("backup-machine")) ?? [];
  const unit = "windward-restore-test.service";
  assert.deepEqual(valuesOf(unit, "ExecStart"), [`${place}/restore-test.sh`]);
  assert(read("restore-test.sh").includes(`\n${place}/restore.sh "$folder"\n`));
  const [, report = ""] = /^report=(\S+)\/[\w.]+$/m.exec(read("restore-test.sh")) ?? [];
  const [, folder = ""] = /^folder=(\S+)$/m.exec(read("restore-test.sh")) ?? [];
  const writable = valuesOf(unit, "ReadWritePaths").join(" ").split(" ");
  for (const one of [report, folder])
    assert(
      writable.some((root) => `${one}/`.startsWith(`${root}/`)),
      one,
    );
  assert(block("backup-machine").includes(` ${report}\n`));
});

test("there is an alarm for each figure that the test of a backup writes", () => {
  const written = read("restore-test.sh").match(/windward_restore_test_\w+(?= |$)/gm) ?? [];
  assert(written.length >= 2);
  for (const name of new Set(written))
    assert(
      shippedAlarms().some(({ expr }) => expr.includes(name)),
      name,
    );
});
