/** `windward explain`: one request, what was answered, and what to do about it. */

import { Command } from "commander";
import { wait } from "../wait.ts";
import { WindwardError } from "../windward-error.ts";
import type { Api, Json } from "./api.ts";
import { act, type ToolContext, withConnection } from "./context.ts";
import { ToolError } from "./tool-error.ts";

/** A line of the log is written behind its answer. */
const WRITTEN_WITHIN_MS = 3_000;
const POLL_MS = 500;

export function explainCommand(): Command {
  return withConnection(new Command("explain"))
    .description("say what happened to a request, and what to do about it")
    .argument("<request_id>", "X-Request-Id of its answer")
    .action(
      act(async (context, _options, id = "") => {
        const data = await read(await context.api(), id);
        context.show(data, () => words(context, data));
      }),
    );
}

async function read(api: Api, request_id: string): Promise<Json> {
  for (const began = performance.now(); ; ) {
    try {
      return (await api.call("GET", "/requests/{request_id}", { path: { request_id } })).data;
    } catch (error) {
      if (!(error instanceof WindwardError) || error.status !== 404) throw error;
      if (performance.now() - began > WRITTEN_WITHIN_MS)
        throw new ToolError(
          `There is no request ${request_id} of this account in the last seven days.`,
          "npx windward requests lists those there are. A key sees its own environment only.",
        );
    }
    await wait(POLL_MS);
  }
}

function words({ colour }: ToolContext, data: Json): string {
  const { request, response, explanation } = data;
  const paint = data.status >= 400 ? colour.bad : colour.good;
  const sent = [
    `${colour.strong(`${data.method} ${data.path}`)}${request.query ? `?${request.query}` : ""}`,
    `${data.at}, ${data.duration_ms} ms, ${data.environment}`,
    ...part("Sent", request),
    "",
    `${paint(`Answered ${data.status}`)}${data.code === null ? "" : ` ${data.code}`}`,
    ...part("Answer", response),
  ];
  if (explanation === null || explanation === undefined) return sent.join("\n");
  return [
    ...sent,
    "",
    `${colour.strong("What was wrong:")} ${explanation.what_was_wrong}`,
    `${colour.strong("Expected:")} ${explanation.what_was_expected}`,
    `${colour.strong("What to do:")} ${explanation.how_to_mend_it}`,
    `More: ${explanation.documentation}`,
  ].join("\n");
}

function part(title: string, { headers, body }: Json): string[] {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `  ${name}: ${value}`);
  return [`${title}:`, ...lines, ...(body ? ["", `  ${body.replaceAll("\n", "\n  ")}`] : [])];
}
