/**
 * The picture decoder is a process that may die at any moment and is sandboxed: no settings, little
 * memory, no file to write, not root. It starts in any folder and under any user, and never
 * outlives the service (Decision 0021).
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { signedIn } from "../../testkit/banks.ts";
import { decoderPids, isForgotten, isRunning } from "../../testkit/decoder-pids.ts";
import { SLOW_SVG } from "../../testkit/pictures.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { GOOD, kept, picture } from "../api/user/picture-support.ts";
import { projectRoot } from "../house/project-files.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
/** More than a small picture takes. */
const TICKS_OF_WORK = 20;

describe("in a service", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
    await picture(service, await signedIn(service), "POST", GOOD);
  });
  after(() => service.stop());

  function decoder(): number {
    const [pid] = decoderPids(process.pid);
    assert(pid !== undefined, "there is no decoder");
    return pid;
  }

  test("it has an empty environment, limits, and no rights of root", () => {
    const facts = (name: string) => readFileSync(`/proc/${decoder()}/${name}`, "latin1");
    const limits = facts("limits");
    assert.match(limits, /^Max data size +1073741824 +1073741824 /m);
    assert.match(limits, /^Max open files +32 +32 /m);
    assert.match(limits, /^Max file size +0 +0 /m);
    assert.match(limits, /^Max core file size +0 +0 /m);
    const names = facts("environ")
      .split("\0")
      .map((each) => each.split("=")[0]);
    // A shell may leave word of where it was; nothing of ours is there.
    assert.deepEqual(
      names.filter((name) => !["", "PWD", "OLDPWD", "_", "SHLVL"].includes(name ?? "")),
      [],
    );
    if (isRoot) assert.match(facts("status"), /^Uid:\t65534\t65534\t65534\t65534$/m);
    if (isRoot) assert.match(facts("status"), /^Groups:\t ?$/m);
  });

  test("when it is killed at work its picture is 503, and the next one is drawn", async () => {
    const who = await signedIn(service);
    const answer = picture(service, who, "POST", SLOW_SVG);
    process.kill(await busyDecoder(process.pid), "SIGKILL");
    assert.equal((await answer).status, 503);
    assert.equal(await kept(service, who), undefined);
    assert.equal((await picture(service, who, "POST", GOOD)).status, 201);
  });

  test("when it is killed at rest nobody notices", async () => {
    await picture(service, await signedIn(service), "POST", GOOD);
    const pid = decoder();
    process.kill(pid, "SIGKILL");
    await until(() => isForgotten(pid), "it is gone, and the service knows");
    const who = await signedIn(service);
    assert.equal((await picture(service, who, "POST", GOOD)).status, 201);
  });

  test("a picture replaced while it dies is the old one, whole", async () => {
    const who = await signedIn(service);
    await picture(service, who, "POST", GOOD);
    const earlier = await kept(service, who);
    const answer = picture(service, who, "PATCH", SLOW_SVG);
    process.kill(await busyDecoder(process.pid), "SIGKILL");
    assert.equal((await answer).status, 503);
    assert.deepEqual(await kept(service, who), earlier);
  });

  test("signals that end a service do not end it before its work", async () => {
    await picture(service, await signedIn(service), "POST", GOOD);
    const pid = decoder();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid, signal);
    const who = await signedIn(service);
    assert.equal((await picture(service, who, "POST", GOOD)).status, 201);
    assert.equal(decoder(), pid);
  });
});

/** Draws one picture, then says so; with the word `slow`, begins one that takes long. */
const SCRIPT = `
import { readFileSync } from "node:fs";
const service = process.argv[2] + "/src/infra/images/thumbnail-service.ts";
const { createThumbnailService } = await import(service);
const log = { warn() {}, error: (about) => process.stderr.write(String(about.err ?? about.words)) };
const shop = createThumbnailService({ log });
const png = await shop.toThumbnail(readFileSync(process.argv[3]));
process.stdout.write("drawn " + png.length + "\\n");
if (process.argv[4] !== undefined) await shop.toThumbnail(readFileSync(process.argv[4]));
await shop.stop();
`;

describe("in a process of its own", () => {
  let folder: string;
  let script: string;
  let slow: string;
  const good = fileURLToPath(new URL("../fixtures/pictures/netpbm.png", import.meta.url));
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "windward-decoder-"));
    script = path.join(folder, "script.mjs");
    slow = path.join(folder, "slow.svg");
    await writeFile(script, SCRIPT);
    await writeFile(slow, SLOW_SVG);
    await chmod(folder, 0o755);
  });
  after(() => rm(folder, { recursive: true }));

  const run = (root: string, more: string[] = [], user: { uid?: number; gid?: number } = {}) =>
    spawn(process.execPath, [script, root, good, ...more], { cwd: "/", stdio: "pipe", ...user });

  test("it is gone as soon as the service is, even in the middle of a picture", async () => {
    const service = run(projectRoot, [slow]);
    const orphan = await busyDecoder(service.pid ?? 0);
    service.kill("SIGKILL");
    await until(() => !isRunning(orphan), "the decoder is gone, too", 2);
  });

  test("it ends with a service that simply ends", async () => {
    assert.match(await wordsOf(run(projectRoot)), /^drawn \d+\n$/);
  });

  test("it starts where only its user may look, and as somebody else where all may", async () => {
    const root = path.join(folder, "checkout");
    await copyProject(root);
    await chmod(root, 0o700);
    assert.match(await wordsOf(run(root)), /^drawn \d+\n$/);
    await chmod(root, 0o755);
    const other = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const runnable = isRoot ? await copyNode(folder) : process.execPath;
    const args = [script, root, path.join(root, "good.png")];
    const child = spawn(runnable, args, { cwd: "/", stdio: "pipe", ...other });
    assert.match(await wordsOf(child), /^drawn \d+\n$/);
  });

  /** What the decoder needs of the project, and nothing that could stand in for it elsewhere. */
  async function copyProject(root: string): Promise<void> {
    await mkdir(path.join(root, "src"), { recursive: true });
    const parts = ["src/infra/images", "src/kit", "package.json"];
    const packages = ["sharp", "@img", "@resvg", "detect-libc", "semver"];
    for (const part of [...parts, ...packages.map((name) => `node_modules/${name}`)])
      await cp(path.join(projectRoot, part), path.join(root, part), {
        recursive: true,
        dereference: true,
      });
    await cp(good, path.join(root, "good.png"));
  }
});

/** Another user may have no access to the folder of our own Node. */
async function copyNode(folder: string): Promise<string> {
  const copy = path.join(folder, "node");
  await cp(process.execPath, copy);
  await chmod(copy, 0o755);
  return copy;
}

async function wordsOf(child: ChildProcess): Promise<string> {
  let words = "";
  for (const pipe of [child.stdout, child.stderr])
    pipe?.setEncoding("utf8").on("data", (text: string) => {
      words += text;
    });
  await once(child, "close");
  return words;
}

/** The decoder of this process, once it works: once it has used the processor for a while. */
async function busyDecoder(parent: number): Promise<number> {
  const seen = new Map<number, number>();
  const isBusy = (pid: number) => {
    const first = seen.get(pid) ?? ticksOf(pid);
    seen.set(pid, first);
    return ticksOf(pid) - first >= TICKS_OF_WORK;
  };
  let busy: number | undefined;
  await until(() => {
    busy = decoderPids(parent).find(isBusy);
    return busy !== undefined;
  }, "the decoder is at work");
  return busy ?? 0;
}

/** In hundredths of a second. */
function ticksOf(pid: number): number {
  try {
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
    const fields = rest.split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
