/** The receiver of webhooks that a guide has the reader write, run as the guide says. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../../testkit/free-port.ts";
import { findPhp } from "../../testkit/php.ts";
import { makeFolder } from "../../testkit/processes.ts";
import { findPython } from "../../testkit/python.ts";
import { until } from "../../testkit/until.ts";
import type { Language } from "./snippets.ts";
import { withSdkOfClone } from "./typescript-session.ts";

const WRITTEN_PORT = "4000";

export interface GuideReceiver {
  readonly url: string;
  /** The status that it answers with. */
  deliver(body: string, headers: Readonly<Record<string, string>>): Promise<number>;
  /** What it has printed. */
  said(): string;
  close(): Promise<void>;
}

export async function startGuideReceiver(
  language: Exclude<Language, "sh">,
  code: string,
  secret: string,
): Promise<GuideReceiver> {
  const port = String(await freePort());
  const file = path.join(makeFolder(), `receiver.${language}`);
  writeFileSync(file, withSdkOfClone(code.replaceAll(WRITTEN_PORT, port)));
  const [program = "", ...args] = await commandOf(language, file, port);
  const env = { ...process.env, WINDWARD_WEBHOOK_SECRET: secret };
  const child = spawn(program, args, { env });
  const ended = once(child, "exit");
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  const url = `http://127.0.0.1:${port}/webhooks`;
  const deliver: GuideReceiver["deliver"] = async (body, headers) =>
    (await fetch(url, { method: "POST", body, headers })).status;
  const isOpen = () => deliver("{}", {}).then(Boolean, () => false);
  await until(async () => (await isOpen()) || child.exitCode !== null, `it listens: ${said}`, 60);
  return {
    url,
    deliver,
    said: () => said,
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** As on a developer's machine: it shows what went wrong, with a 200 if nobody said else. */
const PHP_SETTINGS = ["-n", "-d", "display_errors=1", "-d", "html_errors=0"];

async function commandOf(language: Exclude<Language, "sh">, file: string, port: string) {
  if (language === "php")
    return [await findPhp(), ...PHP_SETTINGS, "-S", `127.0.0.1:${port}`, file];
  return [language === "ts" ? process.execPath : await findPython(), file];
}
