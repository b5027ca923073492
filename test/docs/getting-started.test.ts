/**
 * The guide works: every piece of it, in every language, is run from top to bottom against a
 * service as `npm start` starts it. The test does only what the guide asks a person to do: to pay
 * at the page, to copy the address, and to listen where webhooks are sent.
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { freshDatabase, type TestDatabase } from "../../testkit/database.ts";
import { freePort } from "../../testkit/free-port.ts";
import { endAll, type Running, start } from "../../testkit/processes.ts";
import { type Receiver, startReceiver } from "../../testkit/receivers.ts";
import { until } from "../../testkit/until.ts";
import { openBash } from "./bash-session.ts";
import { openPhp } from "./php-session.ts";
import { CHANGED_RESULT, DELIVERIES, type Facts } from "./probes.ts";
import { openPython } from "./python-session.ts";
import type { Session } from "./session.ts";
import { LANGUAGES, type Language, snippetsOf } from "./snippets.ts";
import { openTypeScript } from "./typescript-session.ts";

const WRITTEN_BASE = "http://localhost:3000";
const WRITTEN_RECEIVER = "http://127.0.0.1:4000/webhooks";
const WRITTEN_ADDRESS = "paste the address here";
const STEPS = 7;
const snippets = snippetsOf("getting-started.md");

/** It takes seconds to begin, in which the service begins and the others have their turns. */
const python = openPython();

let database: TestDatabase;
let service: Running;
before(async () => {
  database = await freshDatabase();
  const port = await freePort();
  const settings = { DATABASE_URL: database.url, PORT: String(port), PASSWORD_HASHING: "floor" };
  service = await start({ settings });
});
after(async () => {
  await service.stop();
  await endAll();
  await database.drop();
});

/** As a browser without scripts does it. Gives where it was sent then. */
async function payAt(url: string): Promise<string> {
  const page = await (await fetch(url)).text();
  const [, formToken = ""] = /name="form_token" value="([^"]+)"/.exec(page) ?? [];
  const card = { number: "4111 1111 1111 1111", expiry: "12/39", cvv: "123", holder: "A Mohammed" };
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams({ ...card, attempts: "0", form_token: formToken }),
  });
  assert.equal(answer.status, 303, await answer.text());
  return answer.headers.get("location") ?? "";
}

/** The signed result of another, smaller payment with the same order id. */
function otherPayment(address: string): string {
  const url = new URL(address);
  const { searchParams } = url;
  const { transaction_id = "", hash, signature, ...rest } = Object.fromEntries(searchParams);
  assert(hash && signature, address);
  const other = { ...rest, transaction_id: `${transaction_id}0`, total: "5.56" };
  const signed = new URLSearchParams(other);
  signed.sort();
  const digest = createHmac("sha256", "sandbox-signing-secret").update(signed.toString());
  url.search = `${signed}&signature=${digest.digest("hex")}`;
  return url.href;
}

function opened(language: Language, pieces: readonly Piece[], facts: Facts) {
  if (language === "sh") return openBash();
  if (language === "php") return openPhp();
  if (language === "python") return python;
  const codes = pieces.map((piece) => piece.code());
  return openTypeScript(codes, facts as unknown as Record<string, unknown>);
}

/** The pieces with what this run has in the place of what the text says. */
function readied(language: Language, receiver: Receiver): string[] {
  return snippets[language].map((piece) => {
    const here = piece
      .replaceAll(WRITTEN_BASE, service.url)
      .replaceAll(WRITTEN_RECEIVER, receiver.url);
    return language === "ts" ? here.replace(`"${WRITTEN_ADDRESS}"`, "guide.facts.address") : here;
  });
}

interface Piece {
  /** Asked for at its turn: what the probes show is known only then. */
  readonly code: () => string;
  /** Looks at what it printed. */
  readonly look?: (said: string) => void | Promise<void>;
}

/** Every piece in its order, and between them what is asked of the functions that they write. */
function piecesOf(language: Language, receiver: Receiver, facts: Facts): Piece[] {
  const steps = readied(language, receiver);
  const step = (number: number, look?: Piece["look"]): Piece => ({
    code: () => (steps[number - 1] ?? "").replace(WRITTEN_ADDRESS, facts.address),
    ...(look && { look }),
  });
  const probe = (of: typeof CHANGED_RESULT, expected: RegExp): Piece[] =>
    language === "sh"
      ? []
      : [
          {
            code: () => of[language](facts, steps[2] ?? ""),
            look: (said) => assert.match(said, expected),
          },
        ];
  let id = "";
  return [
    step(1),
    step(2, async (asked) => {
      const [url = ""] = /http:\/\/[^\s"]+\/checkout\/[\w-]+/.exec(asked) ?? [];
      [id = ""] = /SB-TT-\w{26}/.exec(asked) ?? [];
      assert(url !== "" && id !== "", asked);
      facts.address = await payAt(url);
      facts.changed = facts.address.replace("total=105.20", "total=1.00");
      assert.notEqual(facts.changed, facts.address);
      facts.other = otherPayment(facts.address);
    }),
    step(3, (said) => assert.match(said, /success|^paid$/m)),
    ...probe(CHANGED_RESULT, /^\s*(refused\s+){3}$/),
    step(4),
    step(5, async (said) => {
      assert.match(said, /requested/);
      // The event of the payment's start may arrive, too, if it was numbered after step 4.
      const refund = () => receiver.received.find(({ body }) => body.includes("refund_requested"));
      await until(() => refund() !== undefined, "the event arrives");
      const delivery = refund();
      facts.body = delivery?.body ?? "";
      facts.headers = delivery?.headers ?? {};
      assert.equal(JSON.parse(facts.body).meta.transaction_id, id);
    }),
    ...probe(DELIVERIES, /payment\.refund_requested\s+refused/),
    step(6, (said) => assert.match(said, /SB-TT-\w{26}/)),
    step(7, (said) => assert.match(said, /live/)),
  ];
}

async function follow(session: Session, pieces: readonly Piece[]): Promise<void> {
  for (const { code, look } of pieces) {
    const said = await session.run(code());
    await look?.(said);
  }
}

describe("the guide", () => {
  test("has every step in every language", () => {
    for (const language of LANGUAGES) assert.equal(snippets[language].length, STEPS, language);
  });

  for (const language of LANGUAGES)
    test(`works from top to bottom in ${language}`, async (t) => {
      const receiver = await startReceiver();
      t.after(() => receiver.close());
      const facts: Facts = { address: "", changed: "", other: "", body: "", headers: {} };
      const pieces = piecesOf(language, receiver, facts);
      const session = await opened(language, pieces, facts);
      if (session === undefined) return t.skip("there is no bash or curl on this machine");
      await follow(session, pieces);
      await session.close();
    });
});
