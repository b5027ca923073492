/**
 * `npm run sbom`: what a production install consists of (`npm ci --omit=dev`, on any platform), in
 * the form CycloneDX, written to `sbom.cdx.json` or to the path that is given.
 *
 * npm reads it from a lock file in which nothing but that is left: its own `--omit dev` leaves out
 * what development needs, too (npm 11.19: pino and find-my-way among others).
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const PROJECT = path.resolve(import.meta.dirname, "..");
const WORKSPACE = "sdk";
const BYTES_MAX = 16 * 1024 * 1024;

interface Manifest {
  devDependencies?: object;
  packages: Record<string, { dev?: boolean; devDependencies?: object }>;
}

interface Component {
  readonly "bom-ref": string;
  name: string;
}

const [target = path.join(PROJECT, "sbom.cdx.json")] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), "windward-sbom-"));
try {
  for (const file of ["package.json", `${WORKSPACE}/package.json`]) {
    const { devDependencies: _, ...left } = read(file);
    write(file, left);
  }
  write("package-lock.json", withoutDevelopment(read("package-lock.json")));
  const command = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application"];
  const document = JSON.parse(
    execFileSync("npm", [...command, "--package-lock-only"], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: BYTES_MAX,
    }),
  );
  const components: Component[] = [document.metadata.component, ...document.components];
  // npm calls what is ours by the names of its folders.
  for (const each of components) each.name = each["bom-ref"].replace(/@[^@]*$/, "");
  writeFileSync(target, `${JSON.stringify(document, undefined, 2)}\n`);
  process.stdout.write(`${components.length - 1} packages: ${target}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

function withoutDevelopment(lock: Manifest): Manifest {
  const entries = Object.entries(lock.packages).filter(([, each]) => !each.dev);
  const packages = entries.map(([name, { devDependencies: _, ...left }]) => [name, left]);
  return { ...lock, packages: Object.fromEntries(packages) };
}

function read(file: string): Manifest {
  return JSON.parse(readFileSync(path.join(PROJECT, file), "utf8"));
}

function write(file: string, content: object): void {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, JSON.stringify(content));
}
