/** The guarantee: PostgreSQL never runs as root, and runs as the one user who can own its files. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CannotStartDatabase } from "./cannot-start-database.ts";
import { chooseRuntimeUser } from "./runtime-user.ts";

const ROOT = { uid: 0, gid: 0 };
const ANNA = { uid: 1000, gid: 1001 };
const POSTGRES = { uid: 101, gid: 104 };
const NOBODY = { uid: 65534, gid: 65533 };

const LINES = {
  root: "root:x:0:0:root:/root:/bin/bash",
  anna: "anna:x:1000:1001::/srv/anna:/bin/sh",
  postgres: "postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash",
  nobody: "nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin",
};
const everybody = Object.values(LINES).join("\n");

const CASES = [
  { who: "an ordinary user stays", ownUid: 1000, expected: undefined },
  { who: "a system without user ids stays", ownUid: undefined, expected: undefined },
  {
    who: "root becomes the cluster's owner, known or not",
    cluster: { uid: 7, gid: 7 },
    expected: { uid: 7, gid: 7 },
  },
  { who: "root becomes the folder's owner", dataDir: ANNA, cluster: ROOT, expected: ANNA },
  {
    who: "root passes over an owner that is not in passwd",
    dataDir: { uid: 7, gid: 7 },
    expected: POSTGRES,
  },
  { who: "root becomes postgres where root owns the folder", expected: POSTGRES },
  {
    who: "root becomes nobody where there is no postgres",
    passwd: `${LINES.root}\n#\n${LINES.nobody}\n`,
    expected: NOBODY,
  },
] as const;

for (const { who, expected, ...given } of CASES) {
  test(who, () => {
    const { ownUid, cluster, dataDir, passwd } = {
      ownUid: 0,
      cluster: undefined,
      dataDir: ROOT,
      passwd: everybody,
      ...given,
    };
    assert.deepEqual(
      chooseRuntimeUser({ ownUid, clusterOwner: cluster, dataDirOwner: dataDir, passwd }),
      expected,
    );
  });
}

test("root is told what to do where nobody can run it, or only under a false name", () => {
  for (const passwd of ["", LINES.root, "postgres:x:0:0::/:/bin/sh"]) {
    assert.throws(
      () => chooseRuntimeUser({ ownUid: 0, clusterOwner: undefined, dataDirOwner: ROOT, passwd }),
      (error) =>
        error instanceof CannotStartDatabase && /add a user named postgres/.test(error.message),
    );
  }
});
