/**
 * The heads of multipart/form-data (RFC 7578): the boundary in the request's own header, and what a
 * part says about itself. Only three of a part's lines mean anything here, and its file name is
 * never read: what a file is, its bytes tell, and we name it ourselves.
 */

export interface PartHead {
  readonly name: string;
  readonly isFile: boolean;
}

const LINES_MAX = 20;
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
/** A token, or a quoted string, in which a backslash takes the next character as it is. */
const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~\w-]+)=("(?:[^"\\]|\\.)*"|[^\s";]*)[ \t]*/sy;

/** Undefined when it is another type, or one without a usable boundary. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const { value, parameters } = readHeader(contentType ?? "") ?? {};
  if (value?.toLowerCase() !== "multipart/form-data") return undefined;
  const boundary = parameters?.get("boundary") ?? "";
  return BOUNDARY.test(boundary) ? boundary : undefined;
}

/** Undefined when it is not the head of a part that a form could have. */
export function readPartHead(text: string): PartHead | undefined {
  const lines = text.split("\r\n");
  if (lines.length > LINES_MAX) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    // No folded lines, no bare line ends, no line twice.
    if (colon < 1 || /[^!#$%&'*+.^_`|~\w-]/.test(name) || /[\r\n]/.test(line)) return undefined;
    if (headers.has(name)) return undefined;
    headers.set(name, line.slice(colon + 1).trim());
  }
  return headOf(headers);
}

function headOf(headers: ReadonlyMap<string, string>): PartHead | undefined {
  const disposition = readHeader(headers.get("content-disposition") ?? "");
  const name = disposition?.parameters.get("name");
  if (disposition?.value.toLowerCase() !== "form-data" || name === undefined) return undefined;
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  // Encoded bytes would be taken for the file itself.
  if (!["binary", "8bit", "7bit"].includes(encoding)) return undefined;
  const type = headers.get("content-type")?.toLowerCase() ?? "text/plain";
  if (type.startsWith("multipart/")) return undefined;
  const hasFileName = ["filename", "filename*"].some((key) => disposition.parameters.has(key));
  return { name, isFile: hasFileName || /^(image\/|application\/octet-stream)/.test(type) };
}

function readHeader(
  text: string,
): { value: string; parameters: ReadonlyMap<string, string> } | undefined {
  const semicolon = text.indexOf(";");
  const value = (semicolon === -1 ? text : text.slice(0, semicolon)).trim();
  const parameters = new Map<string, string>();
  for (let at = semicolon; at !== -1 && at < text.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const [, key = "", given = ""] = PARAMETER.exec(text) ?? [];
    if (key === "" || parameters.has(key.toLowerCase())) return undefined;
    const isQuoted = given.startsWith('"');
    const plain = isQuoted ? given.slice(1, -1).replace(/\\(.)/gs, "$1") : given;
    parameters.set(key.toLowerCase(), plain);
  }
  return { value, parameters };
}
