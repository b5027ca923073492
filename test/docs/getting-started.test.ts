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
import { startGuideReceiver } from "./guide-receiver.ts";
import { payAt } from "./pay-at.ts";
import { openPhp } from "./php-session.ts";
import { CHANGED_RESULT, type Facts } from "./probes.ts";
import { openPython } from "./python-session.ts";
import type { Session } from "./session.ts";
import { LANGUAGES, type Language, snippetsOf } from "./snippets.ts";
import { openTypeScript } from "./typescript-session.ts";

const WRITTEN_BASE = "http://localhost:3000";
const WRITTEN_RECEIVER = "http://127.0.0.1:4001/webhooks";
/** Where a sample waits for the address, by language; curl looks the payment up. */
const WRITTEN_QUESTION = {
  ts: /const terminal = [\s\S]+?terminal\.close\(\);/,
  php: "readline('Address: ')",
  python: 'input("Address: ")',
} as const;
const STEPS = 7;
/** In step 4 the receiver stands before the endpoint, and is a program of its own. */
const RECEIVER_AT = 3;
const snippets = snippetsOf("getting-started.md");

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
  if (language === "python") return openPython();
  const codes = pieces.map((piece) => piece.code());
  return openTypeScript(codes, facts as unknown as Record<string, unknown>);
}

/** The pieces with what this run has in the place of what the text says. */
function readied(language: Language, receiver: Receiver): string[] {
  const pieces = snippets[language].filter((_, at) => language === "sh" || at !== RECEIVER_AT);
  return pieces.map((piece) => {
    const here = piece
      .replaceAll(WRITTEN_BASE, service.url)
      .replaceAll(WRITTEN_RECEIVER, receiver.url);
    return language === "ts"
      ? here.replace(WRITTEN_QUESTION.ts, "const address = guide.facts.address;")
      : here;
  });
}

/** What a person pastes when the sample asks. */
function answered(language: Language, code: string, address: string): string {
  if (language === "sh" || language === "ts") return code;
  return code.replace(WRITTEN_QUESTION[language], `"${address.replaceAll("$", "\\$")}"`);
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
    code: () => answered(language, steps[number - 1] ?? "", facts.address),
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
  let [id, secret] = ["", ""];
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
    step(4, (said) => {
      [secret = ""] = /whsec_[\w+/=-]+/.exec(said) ?? [];
      assert(secret !== "", said);
    }),
    step(4, (said) => assert.match(said, /already/)),
    step(5, async (said) => {
      assert.match(
        said,
        language === "sh" ? /"refunded_total":"25.00"/ : /requested\s+Ref.+ 25\.00/,
      );
      // The event of the payment's start may arrive, too, if it was numbered after step 4.
      const refund = () => receiver.received.find(({ body }) => body.includes("refund_requested"));
      await until(() => refund() !== undefined, "the event arrives");
      const { body = "", headers = {} } = refund() ?? {};
      assert.equal(JSON.parse(body).meta.transaction_id, id);
      if (language !== "sh") await tryReceiver(language, secret, { body, headers, id });
    }),
    step(6, (said) => assert.match(said, /SB-TT-\w{26}/)),
    step(7, (said) => assert.match(said, /live/)),
  ];
}

/** A delivery as it came, then one that was changed, then one without signature. */
async function tryReceiver(
  language: Exclude<Language, "sh">,
  secret: string,
  { body, headers, id }: Delivered,
): Promise<void> {
  const code = snippets[language][RECEIVER_AT] ?? "";
  const receiver = await startGuideReceiver(language, code, secret);
  try {
    const sent = Object.entries(headers).filter(([name]) => name.startsWith("webhook-"));
    const signed = Object.fromEntries(sent);
    assert.equal(await receiver.deliver(body, signed), 204, receiver.said());
    const line = new RegExp(`payment\\.refund_requested order-\\S+ ${id}`);
    await until(() => line.test(receiver.said()), "it prints the event");
    assert.equal(await receiver.deliver(`${body} `, signed), 400);
    await until(() => /refused|VerificationError/.test(receiver.said()), "it says so");
    assert.equal(await receiver.deliver(body, {}), 400);
  } finally {
    await receiver.close();
  }
  await tryWithoutSecret(language, code);
}

/** A key that everybody knows signs nothing: such a receiver does not run, or accepts nothing. */
async function tryWithoutSecret(language: Exclude<Language, "sh">, code: string): Promise<void> {
  const stamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", "").update(`msg_1.${stamp}.{}`).digest("base64");
  for (const secret of ["", "whsec_", "whsec_…"]) {
    const receiver = await startGuideReceiver(language, code, secret);
    const answer = receiver.deliver("{}", {
      "webhook-id": "msg_1",
      "webhook-timestamp": stamp,
      "webhook-signature": `v1,${signature}`,
    });
    assert.notEqual(await answer.catch(() => "it does not run"), 204, `with "${secret}"`);
    await receiver.close();
  }
}

interface Delivered {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string;
}

async function follow(session: Session, pieces: readonly Piece[]): Promise<void> {
  for (const { code, look } of pieces) {
    const said = await session.run(code());
    await look?.(said);
  }
}

describe("the guide", () => {
  test("has every step in every language", () => {
    for (const language of LANGUAGES)
      assert.equal(snippets[language].length, language === "sh" ? STEPS : STEPS + 1, language);
  });

  for (const language of LANGUAGES)
    test(`works from top to bottom in ${language}`, async (t) => {
      const receiver = await startReceiver();
      t.after(() => receiver.close());
      const facts: Facts = { address: "", changed: "", other: "" };
      const pieces = piecesOf(language, receiver, facts);
      const session = await opened(language, pieces, facts);
      if (session === undefined) return t.skip("there is no bash or curl on this machine");
      await follow(session, pieces);
      await session.close();
    });
});
