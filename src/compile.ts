/**
 * Loads all that a start and the operator's commands load, and ends: what Node made of it stays in
 * its cache (Decision 0060). A file that is missing here costs every first start the memory
 * and the time of the compiler.
 */

import "./cli.ts";
import "./infra/embedded-postgres/start-embedded-postgres.ts";
import "./site/render-guide.ts";
import "./main.ts";
