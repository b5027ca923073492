/**
 * The guarantee: the embedded PostgreSQL starts for an ordinary user and for root, also where only
 * root may enter; and where it cannot start, one sentence says what to do.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, test } from "node:test";
import {
  copyBinaries,
  findBinaries,
  reasonNotToRun,
} from "../../src/infra/embedded-postgres/binaries.ts";
import * as owners from "../../testkit/database-owners.ts";

const { makeDataDir, makeUsedDataDir, query, startOwner, stopOwner } = owners;

const NOBODY = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const skip = isRoot ? false : "only root can become somebody else";

afterEach(owners.clean);

describe("places and users", () => {
  test("root starts it in a folder that only root may enter", { skip }, async () => {
    const dataDir = await makeDataDir("/root");
    await chmod(dirname(dataDir), 0o700);
    for (const start of ["the first", "the second"]) {
      const owner = await startOwner({ dataDir });
      assert.equal(owner.refusal, undefined, start);
      assert.notEqual((await stat(`/proc/${owner.pid}`)).uid, 0);
      assert.equal(await stopOwner(owner), 0);
    }
    assert.equal((await stat(join(dataDir, "postgres.password"))).uid, 0);
  });

  test("root runs it as the owner of the data folder", { skip }, async () => {
    const dataDir = await makeDataDir();
    await mkdir(dataDir);
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    const owner = await startOwner({ dataDir });
    assert.equal((await stat(`/proc/${owner.pid}`)).uid, NOBODY.uid);
  });

  test("an ordinary user starts it, and root takes over what the user has made", {
    skip,
  }, async (t) => {
    if (!(await mayReadCode())) return t.skip("the checkout is not readable for nobody");
    const dataDir = await makeDataDir();
    await chown(dirname(dataDir), NOBODY.uid, NOBODY.gid);
    const user = await startOwner({ dataDir, as: NOBODY });
    assert.equal(user.refusal, undefined);
    assert.equal((await stat(`/proc/${user.pid}`)).uid, NOBODY.uid);
    await query(user.url, "create table kept ()");
    await owners.killOwner(user);

    const root = await startOwner({ dataDir });
    await query(root.url, "select from kept");
  });

  test("a cluster put back as root with open modes is mended", { skip }, async () => {
    const dataDir = await makeUsedDataDir();
    execFileSync("chown", ["-R", "root:root", dataDir]);
    execFileSync("chmod", ["-R", "go+rX", join(dataDir, "postgres")]);
    assert.equal((await startOwner({ dataDir })).refusal, undefined);
  });

  test("programs that the server's user cannot reach run from a copy", { skip }, async () => {
    const place = dirname(await makeDataDir());
    const hidden = join(place, "hidden", "native");
    await cp(await nativeFolder(), hidden, { recursive: true, verbatimSymlinks: true });
    for (const name of await readdir(join(hidden, "lib"))) {
      const path = join(hidden, "lib", name);
      if ((await lstat(path)).isSymbolicLink()) await unlink(path);
    }
    execFileSync("chmod", ["-R", "go-rwx", dirname(hidden)]);
    assert.match((await reasonNotToRun({ native: hidden, user: NOBODY })) ?? "", /EACCES/);

    const to = join(place, "copies", "postgres");
    await Promise.all([1, 2].map(() => copyBinaries({ from: hidden, to })));
    assert.equal(await reasonNotToRun({ native: to, user: NOBODY }), undefined);
    assert.deepEqual(await readdir(dirname(to)), ["postgres"], "no half copy is left");
  });
});

describe("what a person can mend is said in one sentence", () => {
  test("a data folder that is a file, or lies in one", async () => {
    const dataDir = await makeDataDir();
    await writeFile(dataDir, "");
    for (const place of [dataDir, join(dataDir, "deeper")]) {
      const { refusal } = await startOwner({ dataDir: place });
      assert.match(refusal ?? "", /is a file or lies in one.*Set DATA_DIR/);
    }
  });

  test("a data folder that cannot be written", { skip }, async (t) => {
    if (!(await mayReadCode())) return t.skip("the checkout is not readable for nobody");
    const dataDir = await makeDataDir();
    const { refusal } = await startOwner({ dataDir, as: NOBODY });
    assert.match(refusal ?? "", /cannot be written \(EACCES\).*DATABASE_URL/);
  });

  test("a full disk", { skip }, async (t) => {
    const dataDir = await makeDataDir();
    await mkdir(dataDir);
    try {
      const mount = 'mount -t tmpfs -o size=20m tmpfs "$0"';
      execFileSync("sh", ["-c", mount, dataDir], { stdio: "ignore" });
    } catch {
      return t.skip("a small disk cannot be mounted here");
    }
    try {
      const { refusal } = await startOwner({ dataDir });
      assert.match(refusal ?? "", /^The disk that holds .* is full\. Free some space/);
    } finally {
      execFileSync("sh", ["-c", 'umount -l "$0"', dataDir]);
    }
  });

  test("a cluster of another version, a lost password, a setting PostgreSQL refuses", async () => {
    const dataDir = await makeUsedDataDir();
    const settings = { shared_buffers: "a lot" };
    const { refusal } = await startOwner({ dataDir, settings });
    assert.match(refusal ?? "", /PostgreSQL could not start in .*\n.*shared_buffers.*a lot/s);

    await unlink(join(dataDir, "postgres.password"));
    assert.match((await startOwner({ dataDir })).refusal ?? "", /postgres\.password is missing/);
    await writeFile(join(dataDir, "postgres.password"), "another");
    assert.match((await startOwner({ dataDir })).refusal ?? "", /does not open the database/);
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n");
    assert.match(
      (await startOwner({ dataDir })).refusal ?? "",
      /made by PostgreSQL 17, and this Windward brings PostgreSQL 18\. .*pg_dump/,
    );
    assert.deepEqual(await owners.processesIn(dataDir), []);
  });

  test("a port that is always taken, after five tries", async () => {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const address = listener.address();
    const port = address !== null && typeof address === "object" ? String(address.port) : "";
    try {
      const dataDir = await makeUsedDataDir();
      // The setting overrides the port that each try has found free.
      const { refusal } = await startOwner({ dataDir, settings: { port } });
      assert.match(refusal ?? "", /could not create any TCP\/IP sockets/);
      const log = await readFile(join(dataDir, "postgres.log"), "utf8");
      assert.equal(log.match(/could not create any TCP\/IP sockets/g)?.length, 5);
    } finally {
      listener.close();
    }
  });
});

async function nativeFolder(): Promise<string> {
  return dirname(dirname((await findBinaries(undefined)).postgres));
}

async function mayReadCode(): Promise<boolean> {
  try {
    const script = new URL("../../testkit/embedded-postgres-owner.ts", import.meta.url).pathname;
    execFileSync(process.execPath, ["--check", script], { ...NOBODY, cwd: "/", stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
