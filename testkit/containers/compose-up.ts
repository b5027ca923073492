/**
 * `docker compose up --wait` without an engine: each service of compose.yaml in a container of
 * ours, at its own address, healthy before those that depend on it (Decision 0128).
 */

import { mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { chown } from "node:fs/promises";
import path from "node:path";
import { until } from "../until.ts";
import type { Image } from "./build-image.ts";
import {
  bindsOf,
  type ComposeFile,
  environmentOf,
  inOrder,
  portsOf,
  type Service,
} from "./compose-file.ts";
import { type Container, startContainer } from "./container.ts";
import type { Bind, InRoot } from "./in-root.ts";
import { makeNetwork, type Network } from "./network.ts";

const HEALTHY_SECONDS = 120;
/** As engines say. */
const GRACE_SECONDS = 10;

export interface StandIn extends Pick<Image, "root" | "env" | "cwd" | "user" | "command"> {
  readonly healthCheck?: readonly string[];
  readonly stopSignal: string;
  /** What the image runs before the command, which it is given. */
  readonly entrypoint?: readonly string[];
  readonly binds?: readonly Bind[];
}

export interface Composed {
  container(name: string): Container;
  readonly network: Network;
  addressOf(name: string): string;
  /** A published port, as a Unix socket. */
  socketOf(port: number): string;
  /** Of the containers, in the order they were started. */
  readonly names: readonly string[];
  remove(): Promise<void>;
}

interface Wish {
  /** A folder with what compose.yaml names. */
  readonly project: string;
  readonly file: ComposeFile;
  readonly images: Readonly<Record<string, StandIn>>;
  /** For volumes and for files that an engine mounts. */
  readonly folder: string;
  readonly ip: string;
}

export async function composeUp(wish: Wish): Promise<Composed> {
  const { services, subnet } = wish.file;
  const addresses = new Map(
    [...services].map(([name, { networks }]) => [name, networks.inside.ipv4_address]),
  );
  const network = makeNetwork({ ip: wish.ip, subnet, addresses });
  const containers = new Map<string, Container>();
  const composed: Composed = {
    network,
    names: inOrder(services),
    addressOf: (name) => addresses.get(name) ?? "",
    socketOf: (port) => path.join(wish.folder, `port-${port}.sock`),
    container(name) {
      const found = containers.get(name);
      if (found === undefined) throw new Error(`there is no container ${name}`);
      return found;
    },
    async remove() {
      await Promise.all([...containers.values()].map((each) => each.kill()));
      network.remove();
    },
  };
  try {
    const starting = new Map<string, Promise<void>>();
    for (const name of composed.names) {
      const service = services.get(name) as Service;
      const before = Object.keys(service.depends_on ?? {}).map((each) => starting.get(each));
      const start = async () => {
        await Promise.all(before);
        const container = await startService(wish, network, name, service);
        containers.set(name, container);
        await untilHealthy(container);
      };
      starting.set(name, start());
    }
    await Promise.all(starting.values());
    for (const { name, outside, inside } of portsOf(services))
      await network.publish(composed.socketOf(outside), {
        address: composed.addressOf(name),
        port: inside,
      });
    return composed;
  } catch (error) {
    await composed.remove();
    throw error;
  }
}

async function untilHealthy(container: Container): Promise<void> {
  const isDecided = async () => container.hasEnded() || (await container.isHealthy());
  const { name } = container;
  await until(isDecided, `${name} is healthy`, HEALTHY_SECONDS).catch((cause) => {
    throw new Error(`${name} said:\n${container.output()}`, { cause });
  });
  if (container.hasEnded()) throw new Error(`${name} has ended:\n${container.output()}`);
}

async function startService(
  wish: Wish,
  network: Network,
  name: string,
  service: Service,
): Promise<Container> {
  const image = wish.images[service.image];
  if (image === undefined) throw new Error(`nothing stands for the image ${service.image}`);
  const [, ...healthCheck] = service.healthcheck?.test ?? ["CMD", ...(image.healthCheck ?? [])];
  return startContainer({
    name,
    how: await howOf(wish, image, network.namespaceOf(name), service),
    command: [...(image.entrypoint ?? []), ...(service.command ?? image.command)],
    healthCheck,
    stopSignal: image.stopSignal as NodeJS.Signals,
    graceSeconds: Number.parseInt(service.stop_grace_period ?? `${GRACE_SECONDS}s`, 10),
  });
}

async function howOf(
  { project, folder, file }: Wish,
  image: StandIn,
  network: string,
  service: Service,
): Promise<InRoot> {
  demandLocked(service);
  const { user = image.user, tmpfs = [], ulimits = {}, shm_size: sharedMemory } = service;
  const volume = path.join(folder, "volume");
  mkdirSync(volume, { recursive: true });
  const binds = [...(image.binds ?? []), ...bindsOf(service, project, volume)];
  // A new volume belongs to the user that the image's folder belongs to.
  if (binds.some(({ from }) => from === volume)) {
    const [uid, gid] = user.split(":").map(Number);
    await chown(volume, uid ?? 0, gid ?? 0);
  }
  binds.push({ from: hostsFile(folder, file), to: "/etc/hosts", isReadOnly: true });
  makePlaces(image.root, binds, tmpfs);
  return {
    root: image.root,
    user,
    cwd: image.cwd,
    env: { ...image.env, ...environmentOf(service, project) },
    binds,
    tmpfs,
    isLocked: true,
    network,
    ...(ulimits.nofile === undefined ? {} : { openFilesMax: ulimits.nofile }),
    ...(sharedMemory === undefined ? {} : { sharedMemory }),
  };
}

function demandLocked({ read_only, cap_drop = [], security_opt = [] }: Service): void {
  const isWhole = cap_drop.join() === "ALL" && security_opt.join() === "no-new-privileges:true";
  if (!read_only || !isWhole) throw new Error("a container of ours is locked as a whole");
}

/** Containers find each other by the names of their services. */
function hostsFile(folder: string, { services }: ComposeFile): string {
  const file = path.join(mkdtempSync(path.join(folder, "hosts-")), "hosts");
  const lines = [...services].map(([name, each]) => `${each.networks.inside.ipv4_address} ${name}`);
  writeFileSync(file, ["127.0.0.1 localhost", ...lines, ""].join("\n"));
  return file;
}

/** Where something is mounted there has to be something; engines make it, too. */
function makePlaces(root: string, binds: readonly Bind[], tmpfs: readonly string[]): void {
  for (const place of tmpfs)
    mkdirSync(path.join(root, place.split(":")[0] ?? ""), { recursive: true });
  for (const { from, to } of binds) {
    const place = path.join(root, to);
    mkdirSync(statSync(from).isDirectory() ? place : path.dirname(place), { recursive: true });
    if (!statSync(from).isDirectory()) writeFileSync(place, "", { flag: "a" });
  }
}
