/**
 * Cuts what a server says on one connection into answers and tells status and head of each. A body,
 * each byte as a character, is cut out only for whoever asks, and only during the call: a load has
 * no cycles to spare for more.
 */

/** As many as a load takes from one connection: the service closes it after 1,000. */
export const ANSWERS_PER_CONNECTION = 900;

const HEAD_END = "\r\n\r\n";

export function createAnswerReader(
  take: (status: number, head: string, body: () => string) => void,
): (bytes: Buffer) => void {
  let received = "";
  return (bytes) => {
    received += bytes.toString("latin1");
    let from = 0;
    for (;;) {
      const headEnd = received.indexOf(HEAD_END, from);
      if (headEnd === -1) break;
      const head = received.slice(from, headEnd);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const bodyAt = headEnd + HEAD_END.length;
      const end = bodyAt + length;
      if (received.length < end) break;
      from = end;
      take(Number(head.slice(9, 12)), head, () => received.slice(bodyAt, end));
    }
    received = received.slice(from);
  };
}
