/**
 * Pictures that point outside themselves are refused, and whatever they point to stays untouched
 * (Decision 0021). A server, a file and, where one process may look at another, the kernel are the
 * witnesses: each would know if the decoder had followed a single one.
 */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, open, rm } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { signedIn } from "../../testkit/banks.ts";
import { decoderPids } from "../../testkit/decoder-pids.ts";
import { fixture, svg } from "../../testkit/pictures.ts";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { kept, picture } from "../api/user/picture-support.ts";

const STRACE = "/usr/bin/strace";

const service = await startService();
const folder = await mkdtemp(path.join(os.tmpdir(), "windward-witness-"));
// The decoder gives up being root, and must not be kept away by that alone.
await chmod(folder, 0o755);
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

// The first one starts the decoder of SVGs, and what is loaded when one is drawn is loaded then.
await upload(fixture("inkscape.svg"));
const trace = await startTrace(path.join(folder, "trace"));
const skip = "reason" in trace ? trace.reason : false;

describe("a picture that points outside", () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let file: ReturnType<typeof watchFile>;
  const refused: { markup: string; status: number; isKept: boolean }[] = [];
  before(async () => {
    server = await startServer();
    file = watchFile(path.join(folder, "seen.png"));
    const { url } = server;
    for (const outside of [url, `file://${file.path}`, file.path, url.replace("http:", "")])
      for (const markup of pointingTo(outside))
        refused.push({ markup, ...(await upload(svg(markup))) });
  });
  after(async () => {
    server.stop();
    await file.stop();
  });

  test("is refused, and nothing of it is kept", () => {
    assert.equal(refused.length, 4 * 11);
    for (const one of refused) assert.deepEqual(one, { ...one, status: 400, isKept: false });
  });

  test("has nobody ask at the address", () => assert.equal(server.visits(), 0));

  test("has nobody open the file", () => assert.equal(file.wasOpened(), false));

  test("has its decoder call for no file, no connection and no program", { skip }, async () => {
    // One that is drawn, so that the trace is known to show something.
    assert.equal((await upload(fixture("graphviz.svg"))).status, 201);
    assert("stop" in trace);
    const calls = await trace.stop();
    assert(
      calls.some((call) => call.includes("write(")),
      "the trace shows nothing",
    );
    // The C library and V8 look at devices and at their own process; pictures never do.
    const harmless = /write\(|"\/(dev|proc|sys)\//;
    assert.deepEqual(
      calls.filter((call) => /\w+\(/.test(call) && !harmless.test(call)),
      [],
    );
  });
});

async function upload(file: Buffer): Promise<{ status: number; isKept: boolean }> {
  const who = await signedIn(service);
  const { status } = await picture(service, who, "POST", file);
  return { status, isKept: (await kept(service, who)) !== undefined };
}

function pointingTo(outside: string): string[] {
  return [
    `<image href="${outside}" width="9" height="9"/>`,
    `<image xlink:href="${outside}" width="9" height="9"/>`,
    `<use href="${outside}#a"/>`,
    `<feImage href="${outside}"/>`,
    `<rect width="9" height="9" fill="url(${outside}#a)"/>`,
    `<rect width="9" height="9" style="fill:url('${outside}')"/>`,
    `<style>@import '${outside}';</style>`,
    `<style>@font-face{font-family:a;src:url(${outside})}</style>`,
    `<?xml-stylesheet href="${outside}"?>`,
    `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${outside}"/>`,
    `<image href="data:image/svg+xml,%3Csvg%3E%3Cimage href='${outside}'/%3E%3C/svg%3E"/>`,
  ];
}

async function startServer() {
  let visits = 0;
  const server = http.createServer((_request, response) => {
    visits++;
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
  return { url, visits: () => visits, stop: () => server.close() };
}

/** A named pipe: opening it to write takes until somebody opens it to read. */
function watchFile(name: string) {
  execFileSync("mkfifo", ["-m", "666", name]);
  let opened = false;
  const watching = open(name, "w").then((end) => {
    opened = true;
    return end.close();
  });
  return {
    path: name,
    wasOpened: () => opened,
    async stop() {
      const end = await open(name, constants.O_RDONLY | constants.O_NONBLOCK);
      await watching;
      await end.close();
    },
  };
}

type Trace = { reason: string } | { stop(): Promise<string[]> };

/** Which files and addresses the decoder reaches for, as the kernel sees it, where one may ask. */
async function startTrace(file: string): Promise<Trace> {
  if (!existsSync(STRACE)) return { reason: "there is no strace on this machine" };
  const [pid, ...others] = decoderPids(process.pid);
  assert(pid !== undefined && others.length === 0, "there is one decoder, that of SVGs");
  const which = "trace=write,open,openat,connect,socket,sendto,execve,unlink,newfstatat,access";
  const tracer = spawn(STRACE, ["-f", "-e", which, "-o", file, "-p", String(pid)]);
  const ended = once(tracer, "exit");
  const isTraced = () => !/TracerPid:\t0\n/.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  await until(() => isTraced() || tracer.exitCode !== null, "the decoder is traced");
  if (!isTraced()) return { reason: "one process may not trace another on this machine" };
  return {
    async stop() {
      tracer.kill("SIGINT");
      await ended;
      return readFileSync(file, "utf8").split("\n");
    },
  };
}
