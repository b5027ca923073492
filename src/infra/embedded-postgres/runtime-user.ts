/**
 * The user PostgreSQL runs as. It refuses to run as root, so a Windward that is root gives it
 * another user; an ordinary user runs it as itself.
 *
 * For root on Linux the cluster is always named `/proc/self/cwd`, with the cluster as working
 * directory: that link needs no permission on the folders above, so a checkout under /root works,
 * too. Always and not only where needed, so that every start as root takes the same path.
 */
import { CannotStartDatabase, USE_ANOTHER_DATABASE } from "./cannot-start-database.ts";

export interface RuntimeUser {
  readonly uid: number;
  readonly gid: number;
}

/** The user to switch to, or undefined to keep our own. */
export function chooseRuntimeUser(facts: {
  ownUid: number | undefined;
  clusterOwner: RuntimeUser | undefined;
  dataDirOwner: RuntimeUser;
  passwd: string;
}): RuntimeUser | undefined {
  const { ownUid, clusterOwner, dataDirOwner, passwd } = facts;
  if (ownUid !== 0) return undefined;
  // PostgreSQL runs only as the owner of its cluster, so one that exists has already decided.
  if (clusterOwner && clusterOwner.uid !== 0)
    return { uid: clusterOwner.uid, gid: clusterOwner.gid };
  const users = parsePasswd(passwd).filter(({ uid }) => uid !== 0);
  // initdb looks its user up, so an owner without an entry (usual in containers) cannot be used.
  const chosen =
    users.find(({ uid }) => uid === dataDirOwner.uid) ??
    users.find(({ name }) => name === "postgres") ??
    users.find(({ name }) => name === "nobody");
  if (!chosen)
    throw new CannotStartDatabase(
      "PostgreSQL does not run as root, and there is no user postgres or nobody to run it as. " +
        "Start Windward as an ordinary user, or add a user named postgres, " +
        `or ${USE_ANOTHER_DATABASE}.`,
    );
  return { uid: chosen.uid, gid: chosen.gid };
}

/**
 * How to spawn a program of PostgreSQL on a cluster: `pgdata` is the name by which it finds the
 * folder.
 */
export function spawnOptions(on: { folder: string; user: RuntimeUser | undefined }) {
  const { folder, user } = on;
  return {
    pgdata: user && process.platform === "linux" ? "/proc/self/cwd" : folder,
    options: {
      cwd: folder,
      // Nothing of our own environment: it holds secrets, and PG… variables would change what the
      // server does.
      env: { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" },
      windowsHide: true,
      ...user,
    },
  };
}

function parsePasswd(text: string): { name: string; uid: number; gid: number }[] {
  return text
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => /^\d+$/.test(fields[2] ?? "") && /^\d+$/.test(fields[3] ?? ""))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
