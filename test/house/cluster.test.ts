/**
 * The database's cluster in docs/operations.md and its files: they agree with each other, and its
 * commands are those that `npm run drill -- --cluster` runs.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { guideBlocks } from "../../testkit/guide/blocks.ts";
import { projectRoot } from "./project-files.ts";

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");
const patroni = read("docs/operations/patroni.yml");
const page = read("docs/operations.md");
const DRILL = "scripts/drill/three-nodes";

/** What the drill brings in another way, or what only looks. */
const NOT_RUN = ["apt-get install postgresql-common", "apt-get install nginx haproxy"];

function section(name: string): string {
  const [, text = ""] = page.split(`\n## ${name}\n`);
  return text.split("\n## ")[0] ?? "";
}

const partsOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, one]) => one);

test("the drill runs every block of the guide that has its mark, and asks for no other", () => {
  const sources = readdirSync(path.join(projectRoot, DRILL)).map((name) =>
    read(`${DRILL}/${name}`),
  );
  const asked = partsOf(sources.join("\n"), /(?:\.|\b)(?:guide|runGuide)\(\s*"([\w-]+)"/g);
  assert.deepEqual([...new Set(asked)].toSorted(), [...guideBlocks().keys()].toSorted());
});

for (const name of ["PostgreSQL on three nodes", "Work on the database"])
  test(`"${name}" prints no commands that the drill does not run`, () => {
    const blocks = [...section(name).matchAll(/(<!-- drill: [\w-]+ -->\n\n)?```sh\n([^\n]*)/g)];
    assert(blocks.length >= 3);
    const unmarked = blocks.filter(([, mark]) => mark === undefined).map(([, , first]) => first);
    const unknown = unmarked.filter((line = "") => !NOT_RUN.some((one) => line.startsWith(one)));
    assert.deepEqual(unknown, []);
  });

test("what Patroni sets itself is what postgresql.conf says", () => {
  const [, parameters = ""] = patroni.split(/^ {6}parameters:\n/m);
  const [own = ""] = parameters.split("pg_hba:");
  const pairs = [...own.matchAll(/^ {8}(\w+): "?(\w+)"?/gm)];
  assert(pairs.length >= 5);
  const settings = read("docs/operations/postgresql.conf");
  for (const [, name, value] of pairs)
    assert.match(settings, new RegExp(`^${name} = ${value}\\b`, "m"));
});

test("a lease outlives a round of Patroni with two attempts, as Patroni asks", () => {
  const seconds = (name: string) =>
    Number(new RegExp(`^    ${name}: (\\d+)$`, "m").exec(patroni)?.[1]);
  assert(seconds("ttl") >= seconds("loop_wait") + 2 * seconds("retry_timeout"));
  assert(seconds("ttl") <= 20, "a lost node is to be replaced within 40 s");
});

test("no commit is answered by one node alone", () => {
  for (const line of ["synchronous_mode: true", "synchronous_mode_strict: true"])
    assert(patroni.includes(`    ${line}\n`), line);
  assert.match(read("docs/operations/postgresql.conf"), /^synchronous_commit = on$/m);
});

test("all files name the same three nodes, and HAProxy asks Patroni who leads and who follows", () => {
  const nodes = ["node_a=10.0.0.11", "node_b=10.0.0.12", "node_c=10.0.0.13"];
  const [, initial = ""] =
    /^ETCD_INITIAL_CLUSTER=(.*)$/m.exec(read("docs/operations/etcd.conf")) ?? [];
  assert.equal(initial, nodes.map((node) => node.replace("=", "=http://").concat(":2380")).join());
  const hosts = nodes.map((node) => `${node.split("=")[1]}:2379`).join();
  assert(patroni.includes(`  hosts: ${hosts}\n`));
  const proxy = read("docs/operations/haproxy.cfg");
  const [, database = "", standby = ""] = proxy.split(/^listen (?:database|standby)$/m);
  for (const [part, asked] of [
    [database, "primary"],
    [standby, "sync"],
  ] as const) {
    const servers = [...part.matchAll(/^ {2}server (\w+) ([\d.]+):5432$/gm)];
    assert.deepEqual(
      servers.map(([, name, address]) => `${name}=${address}`),
      nodes,
    );
    assert.match(part, new RegExp(`uri /${asked} `));
    assert.match(part, /check port 8008 .*on-marked-down shutdown-sessions/);
  }
});
