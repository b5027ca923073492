/** How long this thread has been at work; a clock would also tell how busy the machine is. */

import process from "node:process";

export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
