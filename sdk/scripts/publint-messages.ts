/** What publint says about a package that lies in a folder as it would be installed. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

export async function publintMessages(folder: string): Promise<string[]> {
  const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
  const pkg = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  return messages.map((message) => formatMessage(message, pkg) ?? message.code);
}
