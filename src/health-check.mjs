/**
 * What the health check of a container runs: exit code 0 when the process beside it answers. It
 * says nothing of the database, so that no engine restarts what has to wait for one; a proxy asks
 * `/readyz`. A worker answers on the port of its metrics alone.
 *
 * Plain JavaScript and node:http, because it is started every ten seconds: neither Node's compiler
 * of TypeScript nor fetch has to be loaded.
 */

import http from "node:http";
import process from "node:process";

const { ROLE, PORT, METRICS_PORT } = process.env;
const [port, path] = ROLE === "worker" ? [METRICS_PORT, "/metrics"] : [PORT, "/livez"];

const request = http.get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
});
request.once("error", ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
