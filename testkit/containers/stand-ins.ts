/**
 * What stands for the images of registries: Debian's own packages, in the versions that
 * compose.yaml names, in the plain root (Decision 0128).
 */

import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { StandIn } from "./compose-up.ts";
import { addNode, type Debian } from "./debian.ts";

const PACKAGES = "/opt/packages";
const OWN_PATH = ["/usr/lib/postgresql/15/bin", "/usr/sbin", "/usr/bin"];
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const run = promisify(execFile);

/** What the entrypoint of the image postgres does with an empty volume. */
const MAKE_DATABASE = `set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password $POSTGRES_INITDB_ARGS
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | postgres --single postgres
fi
exec "$@"`;

/** The images that FROM names. */
export async function baseImages(debian: Debian, folder: string, node: string) {
  const withNode = await mkdtemp(path.join(folder, "node-"));
  await run("cp", ["-a", "--reflink=auto", `${debian.root}/.`, withNode]);
  await addNode(withNode);
  return { "debian:bookworm-slim": debian.root, [node]: withNode };
}

/** Those that compose.yaml names beside ours. */
export function otherImages(debian: Debian): Record<string, StandIn> {
  const common = { root: debian.root, cwd: "/", ...withPackages(debian), command: [] };
  const users = path.join(debian.packages, "etc/passwd");
  writeFileSync(users, "postgres:x:999:999::/var/lib/postgresql:/bin/bash\n");
  return {
    "haproxy:2.6-bookworm": { ...common, user: "99:99", stopSignal: "SIGUSR1" },
    "postgres:15-bookworm": {
      ...common,
      user: "999:999",
      stopSignal: "SIGINT",
      env: { ...common.env, LANG: "C.UTF-8", PGDATA: "/var/lib/postgresql/data" },
      binds: [...common.binds, { from: users, to: "/etc/passwd", isReadOnly: true }],
      entrypoint: ["sh", "-c", MAKE_DATABASE, "sh"],
    },
  };
}

/** How programs of the packages run in the plain root. */
export function withPackages({ packages }: Debian) {
  const triplet = readdirSync(path.join(packages, "usr/lib")).find((name) =>
    name.endsWith("-linux-gnu"),
  );
  return {
    binds: [{ from: packages, to: PACKAGES, isReadOnly: true }],
    env: {
      PATH: [...OWN_PATH.map((each) => PACKAGES + each), PATH].join(":"),
      LD_LIBRARY_PATH: ["/usr/lib", "/lib"]
        .map((each) => `${PACKAGES}${each}/${triplet}`)
        .join(":"),
      OPENSSL_CONF: `${PACKAGES}/etc/ssl/openssl.cnf`,
    },
  };
}
