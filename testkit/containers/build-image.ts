/**
 * `docker build` without an engine: each step of the Dockerfile in a root made of Debian's packages
 * (Decision 0128). What stands for an image of a registry is handed in as a root.
 */

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import dockerignore from "@balena/dockerignore";
import { type ImageFacts, readDockerfile, type Stage, type Step } from "./dockerfile.ts";
import { type Bind, commandInRoot } from "./in-root.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const ROOT = "0:0";
const MS_MAX = 600_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const NPM_REACHES = ["registry", "proxy", "https_proxy", "noproxy"].map(
  (name) => `npm_config_${name}`,
);
const CA_FILE = "/run/ca.pem";

const run = promisify(execFile);

export interface Image extends ImageFacts {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly user: string;
}

interface Build {
  readonly project: string;
  readonly folder: string;
  /** Roots by the name of their image. */
  readonly bases: Readonly<Record<string, string>>;
}

interface State {
  readonly root: string;
  cwd: string;
  user: string;
  env: Record<string, string>;
}

export async function buildImage(build: Build): Promise<Image> {
  const dockerfile = readFileSync(path.join(build.project, "Dockerfile"), "utf8");
  const { stages, facts } = readDockerfile(dockerfile);
  const built = new Map<string, State>();
  let last: State | undefined;
  for (const stage of stages) {
    last = await buildStage(build, stage, built);
    built.set(stage.name, last);
  }
  if (last === undefined) throw new Error("the Dockerfile has no stage");
  return { ...facts, ...last };
}

async function buildStage(
  build: Build,
  stage: Stage,
  built: ReadonlyMap<string, State>,
): Promise<State> {
  const base = build.bases[stage.image];
  if (base === undefined) throw new Error(`nothing stands for the image ${stage.image}`);
  const root = await mkdtemp(path.join(build.folder, "stage-"));
  await run("cp", ["-a", "--reflink=auto", `${base}/.`, root]);
  const state: State = { root, cwd: "/", user: ROOT, env: { PATH } };
  for (const step of stage.steps) await takeStep(build, state, step, built);
  return state;
}

async function takeStep(
  { project }: Build,
  state: State,
  step: Step,
  built: ReadonlyMap<string, State>,
): Promise<void> {
  switch (step.kind) {
    case "workdir":
      state.cwd = step.value;
      return void mkdirSync(state.root + step.value, { recursive: true });
    case "user":
      state.user = step.value === "root" ? ROOT : step.value;
      return;
    case "env":
      Object.assign(state.env, step.values);
      return;
    case "copy":
      if (step.from === undefined) return copyFromProject(project, state, step.paths);
      return copyFromStage(built.get(step.from), state, step.paths);
    case "run":
      return runScript(state, step.script, step.caches);
  }
}

/** Files of the context, without what .dockerignore leaves out; all of them become root's. */
function copyFromProject(project: string, state: State, paths: readonly string[]): void {
  const target = placeOf(state, paths);
  for (const source of paths.slice(0, -1)) {
    const isFolder = statSync(path.join(project, source)).isDirectory();
    const files = contextOf(project).filter((file) =>
      isFolder ? !path.relative(source, file).startsWith("..") : file === path.normalize(source),
    );
    if (files.length === 0) throw new Error(`.dockerignore leaves nothing of ${source}`);
    const start = isFolder ? source : path.dirname(source);
    for (const file of files)
      cpSync(path.join(project, file), path.join(target, path.relative(start, file)));
  }
}

/** An image is root's, wherever a stage before has it from. */
async function copyFromStage(from: State | undefined, to: State, paths: readonly string[]) {
  const [source = "", ...others] = paths;
  if (from === undefined || others.length !== 1) throw new Error(`COPY --from of ${paths}`);
  const target = placeOf(to, paths);
  const isFolder = statSync(from.root + source).isDirectory();
  mkdirSync(isFolder ? target : path.dirname(target), { recursive: true });
  await run("cp", ["-a", "--reflink=auto", `${from.root}${source}${isFolder ? "/." : ""}`, target]);
  await run("chown", ["-Rh", "0:0", target]);
}

function placeOf({ root, cwd }: State, paths: readonly string[]): string {
  return path.join(root, path.resolve(cwd, paths.at(-1) ?? ""));
}

/** What Docker would be sent, as paths from the project's root. */
export function contextOf(project: string): string[] {
  const ignored = dockerignore
    .default()
    .add(readFileSync(path.join(project, ".dockerignore"), "utf8"));
  const below = (folder: string): string[] =>
    readdirSync(path.join(project, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = path.join(folder, entry.name);
      if (!entry.isDirectory()) return [name];
      // Many files, none of which may be sent.
      return ["node_modules", ".git"].includes(entry.name) ? [name] : below(name);
    });
  return ignored.filter(below(""));
}

/** With the machine's network and its cache of packages. */
async function runScript(state: State, script: string, caches: readonly string[]): Promise<void> {
  const binds: Bind[] = [{ from: "/etc/resolv.conf", to: "/etc/resolv.conf", isReadOnly: true }];
  for (const to of caches) {
    const { npm_config_cache: from } = process.env;
    if (from === undefined || !to.endsWith("/.npm")) throw new Error(`no cache for ${to}`);
    mkdirSync(state.root + to, { recursive: true });
    binds.push({ from, to });
  }
  const home = state.user === ROOT ? "/root" : "/";
  const env = { HOME: home, ...state.env, ...npmSettings(state.root) };
  const command = commandInRoot({ ...state, env, binds }, ["/bin/sh", "-c", script]);
  await run(...command, { timeout: MS_MAX, maxBuffer: OUTPUT_BYTES_MAX });
}

/** How this machine reaches npm's registry, and that its cache will do. */
function npmSettings(root: string): Record<string, string> {
  const settings: Record<string, string> = { npm_config_prefer_offline: "true" };
  for (const name of NPM_REACHES) {
    const value = process.env[name];
    if (value) settings[name] = value;
  }
  const { npm_config_cafile: authorities } = process.env;
  if (authorities) {
    cpSync(authorities, root + CA_FILE);
    settings.npm_config_cafile = CA_FILE;
  }
  return settings;
}
