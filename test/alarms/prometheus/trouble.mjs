/**
 * Loaded into a process that is to be in trouble, before the service: when it is told to, it keeps
 * the event loop busy, or a lot of memory.
 */

const held = [];
const BUSY_MS = 250;

function keepBusy() {
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
  setTimeout(keepBusy, 1);
}

process.on("message", (trouble) => {
  if (trouble === "keep busy") keepBusy();
  if (trouble === "keep memory") held.push(Buffer.alloc(1.3e9, 1));
});
