/**
 * The verifier at a terminal: reads what was typed, lets the SDK explain it, and ends with 0 when
 * it verifies, 1 when it does not, 2 when it was called wrongly (Decision 0054).
 *
 * A secret need not stand on the command line, where shells keep it: it may come from the
 * environment or from standard input. Nothing here ever prints it, and nothing is sent anywhere.
 */

import process from "node:process";
import { Command, Option } from "commander";
import { explainRedirect } from "../../verify/explain-redirect.ts";
import { explainRequest } from "../../verify/explain-request.ts";
import { explainWebhook } from "../../verify/explain-webhook.ts";
import type { Explanation } from "../../verify/explanation.ts";
import { explanationText } from "../../verify/explanation-text.ts";
import { parseHeaders } from "../../verify/webhook-headers.ts";
import { jsonForTerminal, textForTerminal } from "../for-terminal.ts";
import { paintFor } from "../paint.ts";
import { EXIT } from "../tool-error.ts";
import {
  contentOf,
  given,
  namedSecrets,
  namePair,
  required,
  type Stdin,
  signingSecretOf,
  timesOf,
  webhookSecretsOf,
  withStdin,
} from "./inputs.ts";

const SECRETS = `
A secret is best not typed: WINDWARD_SIGNING_SECRET, WINDWARD_HASH_KEY and, of webhooks,
WINDWARD_WEBHOOK_SECRET are read from the environment, and a - in the place of a secret, of the body
or of the headers is read from standard input. Names live=… and sandbox=… are environments. Nothing
is sent anywhere. Ends with 0 when it verifies, 1 when it does not, 2 when it was called wrongly.
`;

const USAGES = `
  npx windward verify redirect '<url>' --secret <signing secret>
  npx windward verify webhook --body <file> --headers <file> --secret <whsec_…>
  npx windward verify request --body <file> --secret <signing secret>
${SECRETS}`;

export function verifyCommand(): Command {
  const command = new Command("verify")
    .description("say whether a redirect, a webhook or a payment request verifies, or why not")
    .enablePositionalOptions();
  for (const one of [redirectCommand(), webhookCommand(), requestCommand()])
    command.addCommand(one.addHelpText("after", USAGES));
  return command.addHelpText("after", USAGES);
}

const repeated = (value: string, all: readonly string[] = []) => [...all, value];
const json = () => new Option("--json", "the explanation as data");
const secret = (flags: string) => new Option(flags, "the account's signing secret");
/** As it was called before 1.1. */
const secretByOldName = () => new Option("--key <secret>", "the same").hideHelp();

interface KeyOptions {
  readonly secret?: string;
  readonly key?: string;
  readonly hashKey?: string;
  readonly otherKey?: readonly string[];
  readonly computedText?: string;
  readonly json?: boolean;
}

interface RedirectOptions extends KeyOptions {
  readonly total?: string;
  readonly known?: readonly string[];
  readonly computed?: string;
  readonly computedHash?: string;
}

function redirectCommand(): Command {
  return new Command("redirect")
    .description("the address to which a customer's browser was sent after paying")
    .argument("<url>", "in quotes: it has & in it")
    .addOption(secret("--secret <secret>"))
    .addOption(secretByOldName())
    .option("--hash-key <key>", "check the MD5 hash as well")
    .option("--total <total>", "what you asked for, such as 100.00")
    .option("--known <name=value>", "what you know for sure; may be repeated", repeated)
    .option("--other-key <name=secret>", "another secret that may have been meant", repeated)
    .option("--computed <signature>", "what your own code computed")
    .option("--computed-hash <hash>", "the hash that your own code computed")
    .option("--computed-text <text>", "the text that your own code signed")
    .addOption(json())
    .action((url: string, options: RedirectOptions) =>
      explained(options, async (stdin) => {
        const { hashKey, signingSecret } = await signingSecretOf(options, stdin);
        return explainRedirect(url, {
          ...given({ signingSecret, hashKey, requestedTotal: options.total }),
          known: Object.fromEntries((options.known ?? []).map(namePair)),
          others: namedSecrets(options.otherKey),
          own: given({
            signature: options.computed,
            hash: options.computedHash,
            text: options.computedText,
          }),
        });
      }),
    );
}

interface WebhookOptions {
  readonly body?: string;
  readonly headers?: string;
  readonly secret?: readonly string[];
  readonly otherSecret?: readonly string[];
  readonly at?: string;
  readonly tolerance?: string;
  readonly computed?: string;
  readonly computedText?: string;
  readonly json?: boolean;
}

function webhookCommand(): Command {
  return new Command("webhook")
    .description("a delivery, as your server received it")
    .option("--body <file>", "the body, byte for byte")
    .option("--headers <file>", "the headers, as lines or as JSON")
    .option("--secret <whsec_…>", "the endpoint's secret; may be repeated", repeated)
    .option("--at <time>", "when it came, if it is from a log (ISO 8601)")
    .option("--tolerance <seconds>", "how far its time may be from that: 300")
    .option("--other-secret <name=secret>", "another secret that may have been meant", repeated)
    .option("--computed <signature>", "what your own code computed")
    .option("--computed-text <text>", "the text that your own code signed")
    .addOption(json())
    .action((options: WebhookOptions) =>
      explained(options, async (stdin) => {
        const body = required(options.body, "Give --body and --headers, each a file.");
        const head = required(options.headers, "Give --body and --headers, each a file.");
        const usesStdin = [body, head].includes("-");
        const secrets = await webhookSecretsOf(options.secret, { stdin, usesStdin });
        const headers = parseHeaders(String(await contentOf(head, stdin)));
        return explainWebhook(await contentOf(body, stdin), headers, secrets, {
          ...timesOf(options),
          others: namedSecrets(options.otherSecret),
          own: given({ signature: options.computed, text: options.computedText }),
        });
      }),
    );
}

interface RequestOptions extends KeyOptions {
  readonly body?: string;
  readonly signature?: string;
}

function requestCommand(): Command {
  return new Command("request")
    .description("a payment request that you signed")
    .option("--body <file>", "the body as it was sent")
    .addOption(secret("--secret <secret>"))
    .addOption(secretByOldName())
    .option("--signature <hex>", "where the body does not have it")
    .option("--hash-key <key>", "in case it was used instead of the secret")
    .option("--other-key <name=secret>", "another secret that may have been used", repeated)
    .option("--computed-text <text>", "what your own code signs")
    .addOption(json())
    .action((options: RequestOptions) =>
      explained(options, async (stdin) => {
        const body = required(options.body, "Give --body, a file with the body as it was sent.");
        const from = { ...options, usesStdin: body === "-" };
        const { hashKey, signingSecret } = await signingSecretOf(from, stdin);
        return explainRequest(String(await contentOf(body, stdin)), {
          signingSecret: signingSecret ?? "",
          ...given({ hashKey, signature: options.signature }),
          others: namedSecrets(options.otherKey),
          own: given({ text: options.computedText }),
        });
      }),
    );
}

async function explained(
  options: { readonly json?: boolean },
  explain: (stdin: Stdin) => Promise<Explanation>,
): Promise<void> {
  const said = await withStdin(explain, USAGES);
  const text = options.json
    ? `${jsonForTerminal(JSON.stringify(said, null, 2))}\n`
    : textForTerminal(explanationText(said, paintFor(process.stdout)));
  process.stdout.write(text);
  process.exitCode = said.verified && said.mistakes.length === 0 ? EXIT.done : EXIT.failed;
}
