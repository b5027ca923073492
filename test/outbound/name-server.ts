/**
 * A name server of a few invented names, over real UDP: the resolver is judged by what it makes of
 * the answers that stand on the wire. Written by hand, since it has to lie.
 */

import dgram from "node:dgram";

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const FAILED = 2;
const NO_SUCH_NAME = 3;

export type Entry = readonly [owner: string, type: keyof typeof TYPES, value: string];
/** `silent`: no answer at all; `failing`: one that says that it failed. */
export type Zone = Readonly<Record<string, readonly Entry[] | "silent" | "failing">>;

export interface NameServer {
  readonly address: string;
  readonly close: () => void;
}

export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = dgram.createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, end } = questionOf(query);
    const known = zone[name];
    if (known === "silent") return;
    const entries = typeof known === "object" ? known.filter((each) => concerns(each, type)) : [];
    const code = known === undefined ? NO_SUCH_NAME : known === "failing" ? FAILED : 0;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(entries.length, 6);
    const answer = Buffer.concat([head, query.subarray(12, end), ...entries.map(recordOf)]);
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** An alias is told with every kind of question. */
function concerns([, type]: Entry, asked: number): boolean {
  return type === "CNAME" || TYPES[type] === asked;
}

function recordOf([owner, type, value]: Entry): Buffer {
  const data = type === "CNAME" ? nameOf(value) : addressOf(value, type);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameOf(owner), fixed, data]);
}

function nameOf(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from(`${label}`));
  const parts = labels.flatMap((label) => [Buffer.of(label.length), label]);
  return Buffer.concat([...parts, Buffer.of(0)]);
}

function addressOf(value: string, type: "A" | "AAAA"): Buffer {
  if (type === "A") return Buffer.from(value.split(".").map(Number));
  const [left = "", right = ""] = value.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array<string>(missing).fill("0"), ...groups(right)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
