/**
 * The guarantee: a database that does not prove who it is, or that refuses us, is a temporary
 * failure (503, tried again) and no bug of ours; and a start that fails for it says so in a
 * sentence. Both happen on the day when a certificate or a password is replaced. And where a pooler
 * drops the settings of our connections, nothing starts, neither the service nor an operator's
 * command: no commit would wait for the standby.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { TLSSocket } from "node:tls";
import { demandSettings, openDatabase, SettingsAreDropped } from "../../src/infra/db/database.ts";
import { migrate } from "../../src/infra/db/migrate.ts";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { reasonOf } from "../../src/infra/process/startup-error.ts";
import { Unavailable } from "../../src/kit/errors.ts";
import { createAuthority, type Identity, selfSigned } from "../../testkit/certificates.ts";
import { databaseUrl, freshDatabase } from "../../testkit/database.ts";
import { operator, SIGNED } from "../../testkit/operator.ts";

const HOST = "127.0.0.1";
const log = createLog({ level: "silent" });
const authority = createAuthority("Our databases");
const folder = await mkdtemp(path.join(tmpdir(), "windward-trust-"));
const authorityFile = path.join(folder, "ca.crt");
await writeFile(authorityFile, authority.cert);
after(() => rm(folder, { recursive: true }));

/** Says yes or no to TLS as PostgreSQL does, shows its certificate, and then nothing more. */
async function pretendPostgres(identity: Identity | undefined) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(identity === undefined ? "N" : "S");
      if (identity !== undefined)
        new TLSSocket(socket, { isServer: true, ...identity }).on("error", () => {});
    });
  });
  const port = await listen(server);
  const wishes = new URLSearchParams({ sslmode: "verify-full", sslrootcert: authorityFile });
  return {
    url: `postgres://windward:secret@${HOST}:${port}/windward?${wishes}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return (server.address() as AddressInfo).port;
}

/** Gives PostgreSQL another setting than the one that it was given. */
async function startPooler(address: string) {
  const { hostname: host, port } = new URL(address);
  const server = createServer((client) => {
    const database = connect({ host, port: Number(port) });
    for (const socket of [client, database]) socket.on("error", () => {});
    client.once("data", (greeting) => {
      const [wanted, given] = ["synchronous_commit=on", "synchronous_commit=no"];
      database.write(greeting.toString("latin1").replace(wanted, given), "latin1");
      client.pipe(database);
    });
    database.pipe(client);
  });
  const pooled = new URL(address);
  pooled.port = String(await listen(server));
  return { url: pooled.href, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** How a running process and one that starts take the same trouble. */
async function expectTrouble(url: string, sentence: RegExp): Promise<void> {
  const db = openDatabase({ url, connectionsMax: 6, log });
  await assert.rejects(db.one(sql`select 1`), Unavailable);
  await assert.rejects(
    db.transaction((tx) => tx.run(sql`select 1`)),
    Unavailable,
  );
  await db.close();
  const error = await migrate({ url, log }).catch((reason: unknown) => reason);
  assert.match(reasonOf(error), sentence);
  assert.doesNotMatch(reasonOf(error), /\n|--use-system-ca/);
}

describe("a database", () => {
  const yesterday = { from: -2, to: -1 };
  const cases: [circumstance: string, identity: Identity | undefined, says: RegExp][] = [
    ["with a certificate of its own making", selfSigned({ hosts: [HOST] }), /self-signed/],
    ["of another authority", createAuthority("Others").issue({ hosts: [HOST] }), /certificate/],
    [
      "at another address than its own",
      authority.issue({ hosts: ["db.example"] }),
      /altnames|list/,
    ],
    ["whose time is over", authority.issue({ hosts: [HOST], daysFromNow: yesterday }), /expired/],
    ["without TLS", undefined, /does not support SSL/],
  ];
  for (const [circumstance, identity, says] of cases)
    test(`${circumstance} is trouble, told in a sentence`, async () => {
      const { url, close } = await pretendPostgres(identity);
      const sentence = new RegExp(`^PostgreSQL at DATABASE_URL does not prove who.*${says.source}`);
      await expectTrouble(url, sentence);
      await close();
    });

  test("that is full says so itself", async () => {
    const url = new URL(databaseUrl("postgres"));
    const db = openDatabase({ url: url.href, connectionsMax: 6, log });
    const owner = sql`create role trust_nobody login password 'secret' connection limit 0`;
    await db.run(owner);
    url.username = "trust_nobody";
    url.password = "secret";
    await expectTrouble(
      url.href,
      /^PostgreSQL at DATABASE_URL says: too many connections for role/,
    );
    await db.run(sql`drop role trust_nobody`);
    await db.close();
  });

  test("that refuses the password is trouble, told in a sentence", async () => {
    const url = new URL(databaseUrl("postgres"));
    url.password = "of yesterday";
    await expectTrouble(
      url.href,
      /^PostgreSQL at DATABASE_URL refuses the user or the password\.$/,
    );
  });
});

test("a connection has all our settings, and one that lost some is refused by their names", async () => {
  const db = openDatabase({ url: databaseUrl("postgres"), connectionsMax: 1, log });
  await demandSettings(db);
  await db.run(sql`set synchronous_commit = off`);
  await db.run(sql`set statement_timeout = 0`);
  await assert.rejects(demandSettings(db), (error: Error) => {
    assert(error instanceof SettingsAreDropped);
    assert.match(reasonOf(error), /\(statement_timeout, synchronous_commit\): is there a pooler/);
    return true;
  });
  await db.close();
});

test("an operator's command does nothing behind a pooler that drops our settings", async () => {
  const database = await freshDatabase();
  const pooler = await startPooler(database.url);
  const pooled = { database: { ...database, url: pooler.url } };
  const { code, stdout, stderr } = await operator(pooled, ["rotate-signing-keys", ...SIGNED]);
  await pooler.close();
  await database.drop();
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /does not get the settings of our connections \(synchronous_commit\)/);
});
