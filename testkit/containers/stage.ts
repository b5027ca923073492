/**
 * The whole of compose.yaml on its feet: the image built, secrets made by the command that
 * docs/operations.md prints, every service healthy, and a way in from outside.
 */

import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildImage, type Image } from "./build-image.ts";
import { readComposeFile } from "./compose-file.ts";
import { type Composed, composeUp } from "./compose-up.ts";
import { type Debian, findDebian } from "./debian.ts";
import { readDockerfile } from "./dockerfile.ts";
import { commandInRoot } from "./in-root.ts";
import { baseImages, otherImages, withPackages } from "./stand-ins.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
export const SECRETS = /<!-- compose: secrets -->\n+```sh\n([\s\S]*?)```/;
const HTTPS = 443;

export interface Stage {
  readonly image: Image;
  readonly composed: Composed;
  /** HAProxy's port, as a Unix socket. */
  readonly socket: string;
  readonly certificate: string;
  remove(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-containers-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const debian = await findDebian();
    const image = await buildFromProject(debian, folder);
    const project = path.join(folder, "project");
    await makeSecrets(debian, project);
    const composed = await composeUp({
      project,
      file: readComposeFile(path.join(project, "compose.yaml")),
      images: { windward: image, ...otherImages(debian) },
      folder,
      ip: findIp(debian),
    });
    return {
      image,
      composed,
      socket: composed.socketOf(HTTPS),
      certificate: readFileSync(path.join(project, "secrets/windward.pem"), "utf8"),
      async remove() {
        await composed.remove();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

async function buildFromProject(debian: Debian, folder: string): Promise<Image> {
  const { stages } = readDockerfile(readFileSync(path.join(PROJECT, "Dockerfile"), "utf8"));
  const bases = await baseImages(debian, folder, stages[0]?.image ?? "");
  return buildImage({ project: PROJECT, folder, bases });
}

/** In a folder with what compose.yaml mounts, where openssl is Debian's. */
async function makeSecrets(debian: Debian, project: string): Promise<void> {
  const [, script] =
    SECRETS.exec(readFileSync(path.join(PROJECT, "docs/operations.md"), "utf8")) ?? [];
  if (script === undefined) throw new Error("docs/operations.md makes no secrets any more");
  for (const each of ["compose.yaml", "docs/operations"])
    cpSync(path.join(PROJECT, each), path.join(project, each), { recursive: true });
  const place = "/srv";
  mkdirSync(debian.root + place, { recursive: true });
  const { env, binds } = withPackages(debian);
  mkdirSync(debian.root + (binds[0]?.to ?? ""), { recursive: true });
  const how = {
    ...{ root: debian.root, user: "0:0", cwd: place, env },
    binds: [...binds, { from: project, to: place }],
  };
  await promisify(execFile)(...commandInRoot(how, ["bash", "-euc", script]));
}

/** The machine's own, or Debian's. */
function findIp({ packages }: Debian): string {
  try {
    return execFileSync("sh", ["-c", "command -v ip"], { encoding: "utf8" }).trim();
  } catch {
    return path.join(packages, "bin/ip");
  }
}
