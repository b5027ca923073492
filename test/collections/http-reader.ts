/**
 * Reads an `.http` file as editors do, by the rules that they publish: `###` begins a request,
 * lines with `@name = value` before its first line set variables for the whole file, `# @name`
 * names its answer, and `{{name.response.body.$.path}}` points into one. Written without a look at
 * the code that writes such files.
 */

import assert from "node:assert/strict";

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface HttpRequest {
  readonly title: string;
  readonly name: string | undefined;
  readonly comments: string;
  readonly expects: number;
  /** With every variable in its place. */
  filledFrom(answers: ReadonlyMap<string, unknown>): Sent;
}

export function readHttpFile(text: string): HttpRequest[] {
  const [preamble = "", ...blocks] = text.split(/^###/m);
  const variables = new Map<string, string>();
  for (const part of [preamble, ...blocks.map((block) => block.split(/^[A-Z]+ /m)[0] ?? "")])
    for (const [, name = "", value = ""] of part.matchAll(/^@(\w+) = (.*)$/gm)) {
      assert(!variables.has(name), `${name} is set twice, and only one of them counts`);
      variables.set(name, value);
    }
  return blocks.map((block) => readBlock(block, variables));
}

function readBlock(block: string, variables: ReadonlyMap<string, string>): HttpRequest {
  const [title = "", ...lines] = block.split("\n");
  const start = lines.findIndex((line) => /^[A-Z]+ \S+$/.test(line));
  const comments = lines.slice(0, start).filter((line) => line.startsWith("#"));
  const end = lines.indexOf("", start);
  const [requestLine = "", ...headerLines] = lines.slice(start, end);
  const headers = headerLines.map((line) => /^([\w-]+): (.+)$/.exec(line));
  const text = comments.join(" ").replaceAll("# ", "");
  return {
    title: title.trim(),
    name: /@name (\w+)/.exec(text)?.[1],
    comments: text,
    expects: Number(/Expects (\d{3})\./.exec(text)?.[1]),
    filledFrom(answers) {
      const fill = (value: string) => filled(value, variables, answers);
      const [method = "", url = ""] = requestLine.split(" ");
      return {
        method,
        url: fill(url),
        headers: Object.fromEntries(
          headers.map((match) => [match?.[1] ?? "", fill(match?.[2] ?? "")]),
        ),
        body: fill(
          lines
            .slice(end + 1)
            .join("\n")
            .trim(),
        ),
      };
    },
  };
}

function filled(
  text: string,
  variables: ReadonlyMap<string, string>,
  answers: ReadonlyMap<string, unknown>,
): string {
  return text.replace(/\{\{([^}]+)\}\}/g, (_, inside: string) => {
    if (inside === "$timestamp") return String(Math.floor(performance.timeOrigin / 1000));
    const [, name, path] = /^(\w+)\.response\.body\.\$\.(.+)$/.exec(inside) ?? [];
    if (name !== undefined && path !== undefined) return String(pick(answers.get(name), path));
    const value = variables.get(inside);
    assert(value !== undefined, `{{${inside}}} is not set`);
    return filled(value, variables, answers);
  });
}

function pick(value: unknown, path: string): unknown {
  const steps = path.match(/[^.[\]]+/g) ?? [];
  return steps.reduce((at, step) => (at as Record<string, unknown>)?.[step], value);
}
