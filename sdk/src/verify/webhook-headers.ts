/** The headers of a delivery, in whatever form a framework hands them over. */

export type HeadersInput =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Names in lower case, as HTTP takes no notice of it. */
export function readHeaders(input: HeadersInput): Map<string, string> {
  const entries = isHeaders(input) ? [...input] : Object.entries(input);
  return new Map(
    entries.flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(" ").trim()] as const],
    ),
  );
}

function isHeaders(input: HeadersInput): input is Headers {
  return typeof Headers === "function" && input instanceof Headers;
}

/** `name: value` on each line, perhaps below a request's first line; or JSON. */
export function parseHeaders(text: string): Record<string, string> {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return JSON.parse(trimmed);
  return Object.fromEntries(
    trimmed.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^\s*([\w-]+)\s*:\s*(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value.trim()]];
    }),
  );
}
