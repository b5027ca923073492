/**
 * Dockerfile and compose.yaml agree with the rest of the project: the way it is started, its
 * settings, its Node, the files that exist. That they work is tried by test/containers.
 */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { parseEnv } from "node:util";
import { readConfig } from "../../src/infra/config.ts";
import { SETTINGS } from "../../src/infra/settings.ts";
import { contextOf } from "../../testkit/containers/build-image.ts";
import { readComposeFile } from "../../testkit/containers/compose-file.ts";
import { readDockerfile } from "../../testkit/containers/dockerfile.ts";
import { SECRETS } from "../../testkit/containers/stage.ts";
import { projectRoot } from "./project-files.ts";

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");
const manifest = JSON.parse(read("package.json"));
const { stages, facts } = readDockerfile(read("Dockerfile"));
const { services } = readComposeFile(path.join(projectRoot, "compose.yaml"));
const of = (name: string) => {
  const service = services.get(name);
  assert(service, name);
  return service;
};
const addressOf = (name: string) => of(name).networks.inside.ipv4_address;
const ours = [...services].filter(([, { image }]) => image === "windward");
/** As the guide makes them, with keys that are easily guessed. */
const [, secrets = ""] = SECRETS.exec(read("docs/operations.md")) ?? [];
const heredoc = /<<SETTINGS\n([\s\S]*?)SETTINGS/.exec(secrets)?.[1] ?? "";
let keys = 0;
const made = heredoc
  .replaceAll("$(openssl rand -base64 32)", () => Buffer.alloc(32, ++keys).toString("base64"))
  .replaceAll("$password", "0123456789abcdef");

test("the image starts the service as npm start does, with the Node of the project", () => {
  assert.equal(facts.command.join(" "), manifest.scripts.start);
  assert.equal(stages[0]?.image, `node:${manifest.devDependencies.node}-bookworm-slim`);
  assert.equal(facts.stopSignal, "SIGTERM");
});

test("its processes are those of a numbered user, who is not root", () => {
  const users = stages.at(-1)?.steps.filter((step) => step.kind === "user") ?? [];
  assert.match(users.at(-1)?.value ?? "", /^[1-9]\d*:[1-9]\d*$/);
});

test("what it sets are settings, and its ports are those that it listens on", () => {
  const known = new Set(["HOME", ...SETTINGS.map(({ name }) => name)]);
  const steps = stages.at(-1)?.steps.filter((step) => step.kind === "env") ?? [];
  const set = Object.assign({}, ...steps.map((step) => step.values));
  assert.deepEqual(
    Object.keys(set).filter((name) => !known.has(name)),
    [],
  );
  assert.deepEqual(facts.ports, [Number(set.PORT), Number(set.METRICS_PORT)]);
});

test("a key that nothing carries out is refused, wherever it stands", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-compose-"));
  const refuses = (change: (text: string) => string, complaint: RegExp) => {
    const file = path.join(folder, "compose.yaml");
    writeFileSync(file, change(read("compose.yaml")));
    assert.throws(() => readComposeFile(file), complaint);
  };
  try {
    const after = (found: string, more: string) => (text: string) => {
      assert(text.includes(found), found);
      return text.replace(found, found + more);
    };
    const service = (name: string, more: string) => after(`  ${name}:\n`, `    ${more}\n`);
    refuses(service("postgres", "oom_score_adj: 5"), /services\.postgres\.oom_score_adj/);
    refuses(
      after("interval: 10s", "\n      retries: 9"),
      /services\.haproxy\.healthcheck\.retries/,
    );
    refuses(after("nofile: 20000", ", nproc: 9"), /services\.haproxy\.ulimits\.nproc/);
    refuses(after("ipv4_address: 172.30.73.2", ", priority: 9"), /inside\.priority/);
    refuses(after("  inside:\n", "    internal: true\n"), /networks\.inside\.internal/);
    const early = (text: string) => text.replace("service_healthy", "service_started");
    refuses(early, /depends on health/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("Docker is sent what runs, and neither tests nor settings nor data", () => {
  const context = contextOf(projectRoot);
  for (const needed of ["src/start.mjs", "package-lock.json", "web/site/favicon.svg", "LICENSE"])
    assert(context.includes(needed), needed);
  const unwanted = /(\.test\.ts$|^(\.env|\.data|\.git|secrets|node_modules|test|testkit)(\/|$))/;
  assert.deepEqual(
    context.filter((file) => unwanted.test(file)),
    [],
  );
});

test("compose.yaml names settings that exist, files that exist, and versions", () => {
  const known = new Set([...SETTINGS.map(({ name }) => name)]);
  for (const [name, { environment = {} }] of ours)
    for (const variable of Object.keys(environment))
      assert(known.has(variable), `${name}: ${variable}`);
  for (const [name, { image, volumes = [] }] of services) {
    assert.match(image, image === "windward" ? /./ : /^[\w.-]+:\d+(\.\d+)*-bookworm$/, name);
    const files = volumes.map((volume) => volume.split(":")[0] ?? "");
    for (const file of files.filter((each) => /^\.\/(?!secrets\/)/.test(each)))
      assert(existsSync(path.join(projectRoot, file)), `${name}: ${file}`);
  }
});

test("the settings that the guide makes for it are all that production asks for", () => {
  for (const [name, { environment = {} }] of ours) {
    const config = readConfig({ ...(parseEnv(made) as Record<string, string>), ...environment });
    assert.equal(config.processes.role, environment.ROLE, name);
  }
});

test("HAProxy leads to the web processes, and only its word is taken for a client's address", () => {
  const webs = ours.filter(([, { environment }]) => environment?.ROLE === "web");
  const { environment: proxy = {} } = of("haproxy");
  const leads = [proxy.WEB1, proxy.WEB2];
  assert.deepEqual(
    webs.map(([name]) => `${addressOf(name)}:${facts.ports[0]}`),
    leads,
  );
  for (const [name, { environment }] of ours)
    assert.equal(environment?.TRUSTED_PROXIES, `${addressOf("haproxy")}/32`, name);
});

test("every service is locked, and ours have the time that they need to stop", () => {
  for (const [name, service] of services) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ["ALL"], name);
    assert.deepEqual(service.security_opt, ["no-new-privileges:true"], name);
  }
  const [, seconds] =
    /^TimeoutStopSec=(\d+)$/m.exec(read("docs/operations/windward-web.service")) ?? [];
  for (const [name, { stop_grace_period: grace }] of ours) assert.equal(grace, `${seconds}s`, name);
});
