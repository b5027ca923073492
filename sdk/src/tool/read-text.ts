/** The beginning of an answer whose length the other side decides. */

/** At most about so many bytes; the rest is given up with the connection. */
export async function readText(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const part of response.body ?? []) {
    const chunk = part as Uint8Array;
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return text;
}

const LINE_BYTES_MAX = 1_024;
const LINE_LENGTH_MAX = 200;

/** The first line of an answer, for a person; trouble with the body is no answer. */
export async function firstLine(response: Response): Promise<string> {
  const text = await readText(response, LINE_BYTES_MAX).catch(() => "");
  const [line = ""] = text.trimStart().split(/[\r\n]/);
  return line.slice(0, LINE_LENGTH_MAX);
}
