/**
 * The guarantee: trouble with processes and their load raises its alarms, through real metrics,
 * rules and a real Prometheus (Decision 0130).
 */

import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { demoSignIn } from "../../../testkit/ask.ts";
import { type CuttingProxy, startCuttingProxy } from "../../../testkit/cutting-proxy.ts";
import { freshDatabase, type TestDatabase } from "../../../testkit/database.ts";
import { freePort } from "../../../testkit/free-port.ts";
import { endAll, makeFolder, type Running, start, UNHINDERED } from "../../../testkit/processes.ts";
import { type Watch, watch } from "./stage.ts";

const TROUBLE = fileURLToPath(new URL("trouble.mjs", import.meta.url));
const FILES_MAX = 300;
const CALLERS = 90;
const RESTARTS = 5;

let database: TestDatabase;
let proxy: CuttingProxy;
let web: Running;
let worker: Running;
let watched: Watch;
const ports = { web: 0, worker: 0 };

before(async () => {
  database = await freshDatabase();
  proxy = await startCuttingProxy(database.url);
  ports.web = await freePort();
  ports.worker = await freePort();
  worker = await startWorker();
  web = await start({
    settings: settingsOf("web"),
    node: nodeWithFewFiles(),
    flags: [`--import=${TROUBLE}`],
  });
  watched = await watch([
    { job: "windward", role: "web", address: `127.0.0.1:${ports.web}` },
    { job: "windward", role: "worker", address: `127.0.0.1:${ports.worker}` },
  ]);
});
after(async () => {
  await watched?.stop();
  await endAll();
  await proxy?.close();
  await database?.drop();
});

function settingsOf(role: "web" | "worker"): Record<string, string> {
  const port = String(ports[role]);
  return { ...UNHINDERED, ROLE: role, DATABASE_URL: proxy.url, METRICS_PORT: port };
}

const startWorker = () => start({ settings: settingsOf("worker") });

/** As a unit without `LimitNOFILE` would start it. */
function nodeWithFewFiles(): string {
  const launcher = path.join(makeFolder(), "node");
  writeFileSync(launcher, `#!/bin/sh\nulimit -n ${FILES_MAX}\nexec "${process.execPath}" "$@"\n`);
  chmodSync(launcher, 0o755);
  return launcher;
}

/** Callers who sign in again and again, until the work is done. */
async function underLoad(work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) await web.ask("/auth/tokens", demoSignIn()).catch(() => {});
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(callers);
  }
}

test("while all is well none of them is raised", async () => {
  assert.equal((await web.ask("/auth/tokens", demoSignIn())).status, 200);
  await watched.holds('sum(up{job="windward"}) == 2');
  // A process that has just started has not looked at anything.
  for (const alarm of OURS) await watched.ended(alarm);
  assert.deepEqual(await watched.amiss(OURS), []);
});

test("a table that is locked makes requests wait, fail and be refused", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("begin; lock table accounts in access exclusive mode");
  await underLoad(async () => {
    await watched.raised("ConnectionsWaitedFor");
    await watched.raised("RequestsShed");
    await watched.raised("AnswersFail");
    await watched.raised("AnswersSlow");
  });
  await client.query("rollback");
  await client.end();
  await watched.ended("ConnectionsWaitedFor");
});

test("a database that is away makes processes unready", async () => {
  await proxy.goAway();
  await watched.raised("NotReady");
  await proxy.comeBack();
  await watched.ended("NotReady");
});

test("connections that are held use files up", async () => {
  const { hostname, port } = new URL(web.url);
  const sockets: net.Socket[] = [];
  // The service closes those that ask for nothing.
  const hold = setInterval(() => {
    for (const one of sockets.filter(({ destroyed }) => destroyed))
      sockets.splice(sockets.indexOf(one), 1);
    while (sockets.length < FILES_MAX * 0.85) {
      const socket = net.connect(Number(port), hostname);
      socket.on("error", () => {});
      sockets.push(socket);
    }
  }, 100);
  await watched.raised("FilesUsedUp").finally(() => clearInterval(hold));
  for (const socket of sockets) socket.destroy();
  await watched.ended("FilesUsedUp");
});

test("a process that holds memory, and one that is busy, are noticed", async () => {
  web.process.send("keep memory");
  await watched.raised("MemoryHigh");
  web.process.send("keep busy");
  await watched.raised("EventLoopLate");
});

test("a worker that is gone is missed, and one that dies again and again is noticed", async () => {
  await worker.kill();
  await watched.raised("ProcessGone");
  await watched.raised("NoWorker");
  for (let count = 0; count < RESTARTS; count += 1) {
    worker = await startWorker();
    await watched.holds('up{role="worker"} == 1');
    if (count === RESTARTS - 1) break;
    await worker.kill();
    await watched.holds('up{role="worker"} == 0');
  }
  await watched.raised("ProcessRestarts");
  await watched.ended("NoWorker");
});

const OURS = [
  ...["ProcessGone", "ProcessRestarts", "NotReady", "AnswersFail", "AnswersSlow", "RequestsShed"],
  ...["ConnectionsWaitedFor", "MemoryHigh", "EventLoopLate", "FilesUsedUp", "NoWorker"],
];
