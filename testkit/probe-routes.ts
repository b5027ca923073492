/**
 * Routes that exist only in tests, for promises the server makes to every route: scopes, limits,
 * idempotency, honest errors. They are made by the same functions and served by the same code as
 * the real ones. `POST /probe/notes` writes a row, so that a test can count its effects.
 */

import type { AppContext } from "../src/app.ts";
import type { Database } from "../src/infra/db/database.ts";
import { sql } from "../src/infra/db/query.ts";
import { created, ok } from "../src/infra/http/answer.ts";
import { type Call, protectedRoute, publicRoute, type Route } from "../src/infra/http/route.ts";
import { ServiceError } from "../src/kit/errors.ts";
import { oneOf } from "../src/kit/fields/choice.ts";
import { optional, type Values } from "../src/kit/fields/field.ts";
import { integer } from "../src/kit/fields/number.ts";
import { email, text } from "../src/kit/fields/text.ts";
import { Type } from "../src/kit/schema.ts";
import { scopes } from "../src/kit/scopes.ts";

export interface Probes {
  readonly routes: readonly Route<AppContext>[];
  /** Holds every request to `/probe/slow`, and each note marked `slow`, until opened. */
  readonly latch: ProbeLatch;
}

interface ProbeLatch {
  /** How many are waiting in front of it. */
  waiting(): number;
  open(): void;
}

const noteFields = {
  title: text({ min: 2, max: 100 }),
  copies: integer({ min: 1, max: 99 }),
  /** What the work does after it has written its row. */
  mood: oneOf(["calm", "slow", "refused", "broken"]),
  email: email(),
  remark: optional(text({ max: 255 })),
};

/** A request that `POST /probe/notes` accepts. */
export const NOTE = { title: "Rent", copies: 2, mood: "calm", email: "a@example.com" } as const;

const fine = { about: "Done", body: Type.Object({ message: Type.Literal("OK") }) };
const noteAnswer = {
  about: "The note",
  body: Type.Object({
    message: Type.Literal("Created"),
    data: Type.Object({ note_id: Type.String(), title: Type.String(), copies: Type.Integer() }),
  }),
};

class NoteRefused extends ServiceError {
  constructor() {
    super("insufficient_funds", { message: "The note was refused." });
  }
}

export function createProbes(): Probes {
  const latch = createLatch();
  const notes = ["/probe/notes", "/probe/memos"].map((path) => noteRoute(path, latch));
  return { routes: [...scopedRoutes, ...notes, brokenRoute, slowRoute(latch)], latch };
}

const scopedRoutes: readonly Route<AppContext>[] = [
  protectedRoute({
    method: "GET",
    path: "/probe/either",
    summary: "Takes either credential with a scope",
    access: { credentials: "either", anyScope: scopes("user", "create") },
    answers: { 200: fine },
    run: async () => ok(),
  }),
  protectedRoute({
    method: "PATCH",
    path: "/probe/bearer/{name}",
    summary: "Takes a bearer token with a scope",
    access: { credentials: "bearer", anyScope: scopes("withdrawals", "retrieve") },
    limit: { name: "keys", per: "account" },
    params: { name: text({ max: 20 }) },
    body: { copies: integer({ min: 1, max: 99 }) },
    answers: {
      200: fine,
      400: { about: "Refused", refusals: [() => text({ max: 20 }).read("x".repeat(21), "name")] },
    },
    run: async () => ok(),
  }),
];

function noteRoute(path: string, latch: Latch): Route<AppContext> {
  return protectedRoute({
    method: "POST",
    path,
    summary: "Writes a row",
    access: { credentials: "either", changes: "environment", anyScope: scopes("user", "update") },
    idempotent: true,
    body: noteFields,
    answers: {
      201: noteAnswer,
      422: { about: "Refused after the row was written", refusals: [new NoteRefused()] },
    },
    async run(_ctx: AppContext, call, caller) {
      return call.once((tx) => writeNote(tx, latch, call, caller.accountNumber));
    },
  });
}

async function writeNote(
  tx: Pick<Database, "one">,
  latch: Latch,
  { body }: Call<Values<typeof noteFields>, unknown, unknown>,
  accountNumber: string,
) {
  const { title, copies, mood } = body;
  const { note_id } = await tx.one<{ note_id: bigint }>(sql`
    insert into probe_notes (account_number, title, copies, mood, email, remark)
    values (${accountNumber}, ${title}, ${copies}, ${mood}, ${body.email}, ${body.remark})
    returning note_id`);
  if (mood === "slow") await latch.pass();
  if (mood === "refused") throw new NoteRefused();
  if (mood === "broken") throw new Error("the probe broke inside its work");
  return created({ data: { note_id: String(note_id), title, copies } });
}

const brokenRoute = publicRoute({
  method: "POST",
  path: "/probe/broken",
  summary: "Fails as only a mistake of ours can",
  body: { password: optional(text({ max: 500 })) },
  answers: {},
  async run(ctx: AppContext, { body }) {
    await ctx.db.run(sql`insert into probe_notes (title, remark) values ('x', ${body.password})`);
    return ok();
  },
});

function slowRoute(latch: Latch): Route<AppContext> {
  return publicRoute({
    method: "GET",
    path: "/probe/slow",
    summary: "Waits until the test lets it go",
    answers: { 200: fine },
    async run() {
      await latch.pass();
      return ok();
    },
  });
}

interface Latch extends ProbeLatch {
  pass(): Promise<void>;
}

function createLatch(): Latch {
  let waiting = 0;
  let { promise, resolve } = Promise.withResolvers<void>();
  return {
    waiting: () => waiting,
    open() {
      resolve();
      ({ promise, resolve } = Promise.withResolvers<void>());
    },
    async pass() {
      waiting++;
      await promise;
      waiting--;
    },
  };
}

/** The table of the notes. A `broken` request breaks its constraint with the password inside. */
export async function createNoteTable(db: Pick<Database, "run">): Promise<void> {
  await db.run(sql`
    create table probe_notes (
      note_id bigint generated always as identity primary key,
      account_number text not null,
      title text not null,
      copies integer not null,
      mood text not null,
      email text not null,
      remark text
    )`);
}
