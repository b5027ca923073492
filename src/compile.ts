/**
 * Loads all that a start and the operator's commands load, and ends: what Node made of it stays in
 * its cache (Decision 0060). A file that is missing here costs every first start the memory
 * and the time of the compiler.
 */

import "./cli.ts";
import "../sdk/src/verify/explain-redirect.ts";
import "../sdk/src/verify/verify-redirect.ts";
import "./infra/embedded-postgres/snapshot-store.ts";
import "./infra/embedded-postgres/start-embedded-postgres.ts";
import "./infra/process/pause-together.ts";
import "./modules/sandbox-snapshots/snapshots.ts";
import "./site/render-thread.ts";
import "./site/search/find.ts";
import "./main.ts";
