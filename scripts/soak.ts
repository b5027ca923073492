/**
 * `npm run soak -- --minutes 3 --seed 1`: the whole service in bad weather, judged from outside
 * (Decision 0055).
 */

import { runTool } from "../testkit/tool/run-tool.ts";
import { readOptions } from "./soak/options.ts";
import { runSoak } from "./soak/run-soak.ts";

const options = readOptions();
await runTool("soak", (tool) => runSoak(options, tool));
