/**
 * The guarantee: `windward requests --follow` prints each request once, oldest first, also when
 * more come than a page has, and those that began before another and ended after it.
 */

import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { until } from "../../testkit/until.ts";
import { openTerminal, type Terminal } from "../../testkit/windward-tool.ts";

interface Row {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: null;
  readonly duration_ms: number;
}

const BEGAN = Date.parse("2026-11-18T12:00:00.000Z");

/** Newest first, as the service answers. */
let log: Row[];
let polls = 0;
let terminal: Terminal;
let server: http.Server;

/** A log that changes between two polls, as a test wants it. */
before(async () => {
  server = http.createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const [page, size] = [Number(searchParams.get("page") ?? 1), 100];
    const since = searchParams.get("since") ?? "";
    polls += 1;
    const data = log.filter(({ at }) => at >= since).slice((page - 1) * size, page * size);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  terminal = openTerminal({ WINDWARD_URL: url, WINDWARD_KEY: "svc_test_a_b" });
});
after(() => {
  terminal.close();
  server.closeAllConnections();
  server.close();
});

function rowOf(id: string, ms: number): Row {
  const at = new Date(BEGAN + ms).toISOString();
  const more = { method: "POST", path: "/webhooks", status: 200, code: null, duration_ms: 1 };
  return { request_id: id, at, ...more };
}

const rowsOf = (name: string, count: number, from: number) =>
  Array.from({ length: count }, (_, index) => rowOf(`${name}-${index}`, from + index));

function add(rows: readonly Row[]): void {
  log = [...rows, ...log].sort((one, other) => (one.at < other.at ? 1 : -1));
}

test("each is printed once, however many come at once, and however late", async () => {
  const early = rowsOf("early", 30, 0);
  log = [];
  add(early);
  const follower = terminal.begin(["requests", "--follow", "--limit", "2"]);
  const printed = () => [...follower.said.stdout.matchAll(/\S+$/gm)].map(([id]) => id);
  const idsOf = (rows: readonly Row[]) => rows.map(({ request_id }) => request_id);
  await until(() => /Waiting for requests/.test(follower.said.stderr), "it follows", 60);
  const quick = rowOf("quick", 10_000);
  add([quick]);
  await until(() => printed().includes("quick"), "a quick one", 60);
  // It took seven seconds: it began before what is printed already.
  const late = rowOf("late", 4_000);
  add([late]);
  await until(() => printed().includes("late"), "the late one", 60);
  const many = rowsOf("many", 250, 90_000);
  add(many);
  const expected = [...idsOf([...early.slice(-2), quick, late, ...many])];
  await until(() => printed().length >= expected.length, "all of three pages", 60);
  const before = polls;
  await until(() => polls >= before + 3, "it polls on", 60);
  assert.deepEqual(printed(), expected);
});
