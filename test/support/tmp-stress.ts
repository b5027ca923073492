import * as o from "./database-owners.ts";
import { setTimeout as sleep } from "node:timers/promises";
const dataDir = await o.makeUsedDataDir();
const end = performance.now() + 75_000;
let live: o.Owner[] = []; const acked: number[] = []; let n = 0; const odd: Record<string, number> = {}; let wins = 0, refused = 0, kills = 0, two = 0;
const alive = (w: o.Owner) => w.process.exitCode === null && w.process.signalCode === null;
async function starter() { while (performance.now() < end) { try { const w = await o.startOwner({ dataDir });
  if (w.refusal) { refused++; if (!/in use by/.test(w.refusal)) odd[w.refusal] = (odd[w.refusal] ?? 0) + 1; }
  else { wins++; live = live.filter(alive); live.push(w); if (live.length > 1) { two++; console.log("two", live.map((x) => [x.process.pid, x.pid])); } } } catch (e) { const m = String(e).slice(0, 600); odd[m] = (odd[m] ?? 0) + 1; }
  await sleep(Math.random() * 300); } }
async function killer() { while (performance.now() < end) { await sleep(Math.random() * 1500); live = live.filter(alive); const r = Math.random(); kills++;
  const one = live[0];
  if (r < 0.4 && one) one.process.kill("SIGKILL"); else if (r < 0.6) await o.killAllIn(dataDir); else if (r < 0.8 && one) { one.process.kill("SIGKILL"); await o.killAllIn(dataDir); } else if (one) one.process.kill("SIGTERM"); } }
async function writer() { while (performance.now() < end) { const w = live.find(alive); if (!w) { await sleep(20); continue; } try { const k = ++n; await o.query(w.url, `create table if not exists kept (number int)`); await o.query(w.url, `insert into kept values (${k})`); acked.push(k); } catch { await sleep(20); } } }
await Promise.all([starter(), starter(), starter(), killer(), writer()]);
for (const w of live) await o.killOwner(w);
const last = await o.startOwner({ dataDir }); console.log(last.refusal ?? "started");
const rows = new Set((await o.query(last.url, "select number from kept")).map((r) => r.number));
console.log({ wins, refused, kills, two, acked: acked.length, lost: acked.filter((k) => !rows.has(k)).length, odd });
await o.forget();
