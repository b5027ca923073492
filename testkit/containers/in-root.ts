/**
 * A program in a root of its own, with the namespaces, mounts and rights that a container engine
 * gives it, by the tools of util-linux (Decision 0128). It is process 1 in there: when it ends,
 * everything that it started ends, and the mounts are gone.
 *
 * Of what an engine does there is no seccomp filter and no cgroup.
 */

export interface InRoot {
  readonly root: string;
  /** As numbers, `10001:10001`; none of its capabilities are left but those of root. */
  readonly user: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly binds?: readonly Bind[];
  /** Places, with the options of a mount behind a colon: `/run/haproxy:uid=99`. */
  readonly tmpfs?: readonly string[];
  /** Whether all but these places is read-only, and no right can be gained. */
  readonly isLocked?: boolean;
  /** A named network namespace; without it the machine's own network. */
  readonly network?: string;
  readonly openFilesMax?: number;
  readonly sharedMemory?: string;
}

export interface Bind {
  readonly from: string;
  readonly to: string;
  readonly isReadOnly?: boolean;
}

const DEVICES = ["null", "zero", "full", "random", "urandom"];
const MEMORY_OPTIONS = "nosuid,nodev,noexec,mode=1777";

/** The whole command line, for `spawn`. */
export function commandInRoot(how: InRoot, command: readonly string[]): [string, string[]] {
  const inNetwork =
    how.network === undefined ? [] : ["nsenter", `--net=/run/netns/${how.network}`, "--"];
  const files = how.openFilesMax;
  const limits = files === undefined ? [] : ["prlimit", `--nofile=${files}`, "--core=0"];
  const [program = "", ...args] = [
    ...[...inNetwork, ...limits],
    ...["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"],
    ...["sh", "-euc", mountScript(how), "sh"],
    ...["chroot", how.root, ...asUser(how), ...command],
  ];
  return [program, args];
}

/** A further program beside process 1, as `docker exec` starts one. */
export function commandBeside(
  pid: number,
  how: InRoot,
  command: readonly string[],
): [string, string[]] {
  const inside = ["--mount", "--pid", "--net", "--ipc", "--uts", "--root"];
  return ["nsenter", ["--target", String(pid), ...inside, ...asUser(how), ...command]];
}

function asUser({ user, cwd, env, isLocked = false }: InRoot): string[] {
  const [uid, gid = "0"] = user.split(":");
  const locked = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];
  return [
    ...["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"],
    // Asked for by --kill-child, and forgotten with the change of user.
    ...["--pdeathsig", "SIGKILL"],
    ...(isLocked ? locked : []),
    ...["env", "-i", "-C", cwd],
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ];
}

function mountScript(how: InRoot): string {
  const { root, binds = [], tmpfs = [], isLocked = false, sharedMemory = "64m" } = how;
  const dev = `${root}/dev`;
  return [
    `mount --bind ${root} ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs -o nosuid,mode=755 tmpfs ${dev}`,
    ...DEVICES.flatMap((name) => [
      `: > ${dev}/${name}`,
      `mount --bind /dev/${name} ${dev}/${name}`,
    ]),
    `ln -s /proc/self/fd ${dev}/fd && ln -s fd/1 ${dev}/stdout && ln -s fd/2 ${dev}/stderr`,
    `mkdir ${dev}/shm`,
    `mount -t tmpfs -o ${MEMORY_OPTIONS},size=${sharedMemory} tmpfs ${dev}/shm`,
    ...tmpfs.map((each) => {
      const [place = "", own = ""] = each.split(":");
      const options = [MEMORY_OPTIONS, own].filter(Boolean).join();
      return `mount -t tmpfs -o ${options} tmpfs ${root}${place}`;
    }),
    ...binds.flatMap(({ from, to, isReadOnly = false }) => [
      `mount --bind ${from} ${root}${to}`,
      ...(isReadOnly ? [`mount -o remount,bind,ro ${root}${to}`] : []),
    ]),
    ...(isLocked ? [`mount -o remount,bind,ro ${root}`] : []),
    'exec "$@"',
  ].join("\n");
}
