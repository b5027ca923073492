/**
 * Logging: one JSON line per entry on standard output, with nothing in it that must not be there.
 *
 * Secrets are kept out twice: known paths are redacted where the entry is made, and every finished
 * line passes `scrub`, because a card number turns up where it is not expected. Writing is
 * asynchronous and bounded: when the reader of our output stops reading, lines are dropped and the
 * service goes on.
 */

import pino, { type Logger } from "pino";
import { Counter } from "prom-client";
import { scrub } from "../kit/scrub.ts";
import { currentSpan, traceIdOf } from "../kit/trace.ts";

export type Log = Logger;

const BUFFER_BYTES_MAX = 4 * 1024 * 1024;

const SECRET_NAMES = ["password", "access_token", "refresh_token", "secret", "authorization"];
/** At the top of an entry and two levels down; deeper is the business of `scrub`. */
const REDACTED_PATHS = [...SECRET_NAMES, '["x-svc-key"]'].flatMap((name) => {
  const member = name.startsWith("[") ? name : `.${name}`;
  return [name, `*${member}`, `*.*${member}`];
});

const COUNTED = { 40: "warn", 50: "error", 60: "fatal" } as const;
const lines = new Counter({
  name: "windward_log_lines_total",
  help: "Lines written to the log, by level, from warn on.",
  labelNames: ["level"],
});
for (const level of Object.values(COUNTED)) lines.inc({ level }, 0);

export function createLog(options: { level: string; write?: (line: string) => void }): Log {
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      redact: { paths: REDACTED_PATHS, censor: "[redacted]" },
      serializers: { err: describeError },
      mixin: () => ({ trace_id: traceIdOf(currentSpan()) }),
      hooks: {
        logMethod(args, method, level) {
          const counted = COUNTED[level as keyof typeof COUNTED];
          if (counted !== undefined) lines.inc({ level: counted });
          method.apply(this, args);
        },
      },
    },
    { write: scrubbed(options.write ?? standardOutput()) },
  );
}

function scrubbed(write: (line: string) => void): (line: string) => void {
  return (line) => write(scrub(line));
}

function standardOutput(): (line: string) => void {
  const output = pino.destination({ dest: 1, sync: false, maxLength: BUFFER_BYTES_MAX });
  // A closed pipe (EPIPE) or a full disk must not stop the service; there is nowhere left to say
  // so.
  output.on("error", () => {});
  return (line) => output.write(line);
}

/**
 * What an on-call needs of an error. Statement parameters are left out: they carry personal data.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    code,
    constraint,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
