/**
 * The verifier at a terminal: reads what was typed, lets the SDK explain it, and ends with 0 when
 * it verifies, 1 when it does not, 2 when it was called wrongly (Decision 0054).
 *
 * A key need not stand on the command line, where shells keep it: it may come from the environment
 * or from standard input. Nothing here ever prints it.
 */

import { readFile } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";

const VERIFIED = 0;
const NOT_VERIFIED = 1;
const CALLED_WRONGLY = 2;

const HELP = `Says whether a redirect, a webhook or a payment request verifies, and if not, why.

  windward verify redirect '<url>' --key <signing secret>
      --hash-key <key>      check the MD5 hash as well
      --total <total>       what you asked for, such as 100.00
      --known <name=value>  what you know for sure; may be repeated
      --other-key <name=key>        another signing secret that may have been meant
      --computed <signature>        what your own code computed
      --computed-hash <hash>, --computed-text <text>

  windward verify webhook --body <file> --headers <file> --secret <whsec_…>
      --at <time>           when it came, if it is from a log (ISO 8601)
      --tolerance <seconds> how far its time may be from that: 300
      --other-secret <name=secret>  another secret that may have been meant
      --computed <signature>, --computed-text <text>

  windward verify request --body <file> --key <signing secret>
      --signature <hex>     where the body does not have it
      --hash-key <key>      in case it was used instead of the secret
      --other-key <name=key>        another signing secret that may have been used
      --computed-text <text>        what your own code signs

  --json  the explanation as data

A key is best not typed: WINDWARD_KEY, WINDWARD_HASH_KEY and WINDWARD_SECRET are read from the
environment, and a - in the place of a key, of the body or of the headers is read from standard
input. Names live=… and sandbox=… are environments. Nothing is sent anywhere.
Ends with 0 when it verifies, 1 when it does not, 2 when it was called wrongly.
`;

class WrongUsage extends Error {}

const text = { type: "string" };
const texts = { type: "string", multiple: true };
const OPTIONS = {
  key: text,
  "hash-key": text,
  total: text,
  known: texts,
  "other-key": texts,
  computed: text,
  "computed-hash": text,
  "computed-text": text,
  body: text,
  headers: text,
  secret: texts,
  "other-secret": texts,
  signature: text,
  at: text,
  tolerance: text,
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

/** `load` gives a file of the SDK by its name, from wherever it is. */
export async function runVerify(args, load) {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [command, kind, ...rest] = positionals;
    if (values.help) return say(HELP);
    if (command !== "verify" || !Object.hasOwn(KINDS, kind ?? "")) throw new WrongUsage("");
    const said = await KINDS[kind](values, rest, load);
    await show(said, values, load);
    return said.verified && said.mistakes.length === 0 ? VERIFIED : NOT_VERIFIED;
  } catch (error) {
    if (error instanceof WrongUsage || String(error.code).startsWith("ERR_PARSE_ARGS")) {
      process.stderr.write(`${error.message === "" ? "" : `${error.message}\n\n`}${HELP}`);
      return CALLED_WRONGLY;
    }
    process.stderr.write(`${error.message}\n`);
    return CALLED_WRONGLY;
  }
}

const KINDS = {
  async redirect(values, [url, ...more], load) {
    if (url === undefined || more.length > 0)
      throw new WrongUsage("Give one address, in quotes: it has & in it.");
    const stdin = onceStdin();
    const signingSecret = await secretOf(values.key ?? process.env.WINDWARD_KEY, stdin);
    const hashKey = await secretOf(values["hash-key"] ?? process.env.WINDWARD_HASH_KEY, stdin);
    const key = signingSecret ?? (hashKey === undefined ? await piped(stdin) : undefined);
    if (key === undefined && hashKey === undefined)
      throw new WrongUsage("Give a key: --key, WINDWARD_KEY, or standard input.");
    const { explainRedirect } = await load("explain-redirect");
    return explainRedirect(url, {
      ...given({ signingSecret: key, hashKey, requestedTotal: values.total }),
      known: Object.fromEntries((values.known ?? []).map(namePair)),
      others: otherKeys(values),
      own: given({
        signature: values.computed,
        hash: values["computed-hash"],
        text: values["computed-text"],
      }),
    });
  },

  async webhook(values, rest, load) {
    if (rest.length > 0 || values.body === undefined || values.headers === undefined)
      throw new WrongUsage("Give --body and --headers, each a file.");
    const stdin = onceStdin();
    const typed = values.secret ?? [process.env.WINDWARD_SECRET].flatMap((each) => each ?? []);
    const secrets = await Promise.all(typed.map((each) => secretOf(each, stdin)));
    const usesStdin = [values.body, values.headers].includes("-");
    const last = secrets.length > 0 || usesStdin ? undefined : await piped(stdin);
    const all = last === undefined ? secrets : [last];
    if (all.length === 0) throw new WrongUsage("Give a secret: --secret, WINDWARD_SECRET, or -.");
    const { parseHeaders } = await load("webhook-headers");
    const { explainWebhook } = await load("explain-webhook");
    const headers = parseHeaders(String(await contentOf(values.headers, stdin)));
    return explainWebhook(await contentOf(values.body, stdin), headers, all, {
      ...timesOf(values),
      others: (values["other-secret"] ?? []).map((each) => {
        const [name, secret] = namePair(each);
        return { ...called(name), secret };
      }),
      own: given({ signature: values.computed, text: values["computed-text"] }),
    });
  },

  async request(values, rest, load) {
    if (rest.length > 0 || values.body === undefined)
      throw new WrongUsage("Give --body, a file with the body as it was sent.");
    const stdin = onceStdin();
    const typed = await secretOf(values.key ?? process.env.WINDWARD_KEY, stdin);
    const signingSecret = typed ?? (values.body === "-" ? undefined : await piped(stdin));
    if (signingSecret === undefined)
      throw new WrongUsage("Give a key: --key, WINDWARD_KEY, or standard input.");
    const { explainRequest } = await load("explain-request");
    const hashKey = await secretOf(values["hash-key"] ?? process.env.WINDWARD_HASH_KEY, stdin);
    return explainRequest(String(await contentOf(values.body, stdin)), {
      ...given({ signingSecret, hashKey, signature: values.signature }),
      others: otherKeys(values),
      own: given({ text: values["computed-text"] }),
    });
  },
};

function otherKeys(values) {
  return (values["other-key"] ?? []).map((each) => {
    const [name, secret] = namePair(each);
    return { ...called(name), signingSecret: secret, hashKey: secret };
  });
}

function timesOf({ at, tolerance }) {
  const now = at === undefined ? undefined : new Date(at);
  const toleranceSeconds = tolerance === undefined ? undefined : Number(tolerance);
  if (Number.isNaN(now?.getTime()) || Number.isNaN(toleranceSeconds))
    throw new WrongUsage("--at is a time such as 2026-11-15T14:03:07Z, --tolerance are seconds.");
  return given({ now, toleranceSeconds });
}

function given(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function namePair(typed) {
  const at = typed.indexOf("=");
  if (at < 1) throw new WrongUsage("Write it as name=value.");
  return [typed.slice(0, at), typed.slice(at + 1)];
}

function called(name) {
  return name === "live" || name === "sandbox" ? { name, environment: name } : { name };
}

/** Standard input is read once, however often it is asked for. */
function onceStdin() {
  let content;
  return async () => {
    content ??= process.stdin.toArray().then((parts) => Buffer.concat(parts));
    return content;
  };
}

/** What a pipe brings, when nothing else was given. */
async function piped(stdin) {
  if (process.stdin.isTTY) return undefined;
  const content = String(await stdin()).replace(/\r?\n$/, "");
  return content === "" ? undefined : content;
}

async function secretOf(typed, stdin) {
  return typed === "-" ? String(await stdin()).replace(/\r?\n$/, "") : typed;
}

async function contentOf(file, stdin) {
  if (file === "-") return stdin();
  try {
    return await readFile(file);
  } catch (error) {
    throw new WrongUsage(`${file} cannot be read: ${error.code}.`);
  }
}

async function show(said, { json }, load) {
  if (json) return say(`${JSON.stringify(said, null, 2)}\n`);
  const { explanationText, NO_PAINT } = await load("explanation-text");
  const isSeen = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  return say(explanationText(said, isSeen ? COLOURS : NO_PAINT));
}

const paint = (code) => (words) => `\u001b[${code}m${words}\u001b[0m`;
const COLOURS = { good: paint(32), bad: paint(31), soft: paint(2), mark: paint("1;7") };

function say(words) {
  process.stdout.write(words);
  return VERIFIED;
}
