/**
 * Connections to chosen workers. They share a port and an idle one accepts the next connection, so
 * the others are stopped while one accepts its own.
 */

import http from "node:http";
import process from "node:process";
import { childrenOf } from "./process-facts.ts";
import type { Running } from "./processes.ts";

/** An agent for every worker, with so many open connections to it. */
export async function connectToEach(service: Running, count: number): Promise<http.Agent[]> {
  const agents: http.Agent[] = [];
  for (const pid of childrenOf(service.pid))
    agents.push(await onlyWith(service, pid, () => openConnections(service, count)));
  return agents;
}

/** Does something while this worker alone can answer. */
export async function onlyWith<T>(
  service: Running,
  pid: number,
  work: () => Promise<T>,
): Promise<T> {
  const others = childrenOf(service.pid).filter((other) => other !== pid);
  try {
    for (const other of others) process.kill(other, "SIGSTOP");
    return await work();
  } finally {
    for (const other of others) process.kill(other, "SIGCONT");
  }
}

async function openConnections(service: Running, count: number): Promise<http.Agent> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: count, maxFreeSockets: count });
  await Promise.all(Array.from({ length: count }, () => service.ask("/livez", { agent })));
  return agent;
}
