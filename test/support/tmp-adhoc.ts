import * as e from "/work/main/src/infra/embedded-postgres/start-embedded-postgres.ts";
import { mkdtempSync } from "node:fs";
import { execSync } from "node:child_process";
const log = { info: (o: object, m: string) => process.stderr.write(m + JSON.stringify(o) + "\n"), warn: (o: object, m: string) => process.stderr.write("W " + m + JSON.stringify(o) + "\n") };
const dataDir = mkdtempSync("/tmp/adhoc-"); 
let db = await e.startEmbeddedPostgres({ dataDir, log });
// same process twice
await e.startEmbeddedPostgres({ dataDir, log }).catch((x) => console.log(String(x)));
await Promise.all([db.stop(), db.stop()]);
db = await e.startEmbeddedPostgres({ dataDir, log });
// stop while restarting
process.kill(db.pid, "SIGKILL"); await new Promise((r) => setTimeout(r, Number(process.argv[2] ?? 5))); await db.stop(); console.log("stopped in restart");
db = await e.startEmbeddedPostgres({ dataDir, log });
if (process.argv[3]) { process.kill(db.pid, "SIGSTOP"); const t = performance.now(); await db.stop(); console.log("hung stop", performance.now() - t); } else await db.stop();
console.log(execSync("ls " + dataDir).toString()); execSync("rm -rf " + dataDir);
