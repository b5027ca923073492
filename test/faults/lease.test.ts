/**
 * The guarantee: a leader of the database's cluster that was away longer than its lease does not
 * take it back from the node that leads by then (Decision 0127). Debian's own Patroni and etcd, set
 * as docs/operations/ sets them, are asked as two nodes would.
 */

import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { unpackDebianPackage } from "../../testkit/debian-package.ts";
import { freePort } from "../../testkit/free-port.ts";
import { variablesOf } from "../../testkit/guide/unit-variables.ts";
import { findPython } from "../../testkit/python.ts";
import { until } from "../../testkit/until.ts";

/** Leases last seconds; only a store that never answers takes this long. */
const SCRIPT_MS_MAX = 120_000;
const OPERATIONS = new URL("../../docs/operations/", import.meta.url);
/** What the nodes of the guide do one after the other: no Patroni runs, so nothing renews it. */
const TWO_NODES = `
import sys, time
from patroni.dcs import get_dcs
store, port = sys.argv[1:]
def node(name):
    return get_dcs({"scope": "windward", "namespace": "/service/", "name": name, "ttl": 5,
                    "loop_wait": 1, "retry_timeout": 3, store: {"hosts": "127.0.0.1:" + port}})
first, second = node("first"), node("second")
print("first leads", first.attempt_to_acquire_leader())
first.get_cluster()
while second.get_cluster().leader and second.get_cluster().leader.name == "first": time.sleep(0.2)
print("second leads", second.attempt_to_acquire_leader())
print("first renews", first._update_leader())
print("leader", second.get_cluster().leader.name)
`;

const folder = mkdtempSync(path.join(tmpdir(), "windward-lease-"));
let etcd: ChildProcess | undefined;

before(
  () =>
    unpackDebianPackage(
      {
        name: "patroni",
        others: ["etcd-server", "python3-etcd"],
        program: "usr/bin/etcd",
      },
      { folder, launcher: "etcd" },
    ),
  { timeout: 300_000 },
);

after(async () => {
  if (etcd?.exitCode === null) {
    etcd.kill("SIGKILL");
    await once(etcd, "exit");
  }
  rmSync(folder, { recursive: true });
});

test("a leader whose lease has ended cannot renew it when another node leads", async () => {
  const [, store = ""] =
    /^(etcd3?):\n {2}hosts:/m.exec(readFileSync(new URL("patroni.yml", OPERATIONS), "utf8")) ?? [];
  const [client, peer] = [await freePort(), await freePort()];
  const shipped = variablesOf(readFileSync(new URL("etcd.conf", OPERATIONS), "utf8"));
  const kept = Object.entries(shipped).filter(
    ([name]) => !/_(NAME|URLS|DIR|CLUSTER\w*)$/.test(name),
  );
  etcd = spawn(path.join(folder, "etcd"), {
    env: {
      ...Object.fromEntries(kept),
      ETCD_DATA_DIR: path.join(folder, "data"),
      ETCD_LISTEN_CLIENT_URLS: `http://127.0.0.1:${client}`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://127.0.0.1:${client}`,
      ETCD_LISTEN_PEER_URLS: `http://127.0.0.1:${peer}`,
    },
    stdio: "ignore",
  });
  await until(
    () =>
      fetch(`http://127.0.0.1:${client}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    "etcd answers",
  );
  const libraries = path.join(folder, "usr/lib/python3/dist-packages");
  const env = { ...process.env, PYTHONPATH: libraries };
  const args = ["-c", TWO_NODES, store, String(client)];
  const { stdout } = await promisify(execFile)(await findPython(), args, {
    env,
    timeout: SCRIPT_MS_MAX,
  });
  assert.deepEqual(stdout.trim().split("\n"), [
    "first leads True",
    "second leads True",
    "first renews False",
    "leader second",
  ]);
});
