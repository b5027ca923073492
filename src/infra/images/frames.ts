/**
 * Messages between the service and its decoder, over plain pipes: four bytes of length, one byte
 * that says what it is, then the bytes themselves.
 */

const HEAD_BYTES = 5;

export interface Frame {
  readonly kind: number;
  readonly bytes: Buffer;
}

export function frameHead(kind: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(bytes.length);
  head.writeUInt8(kind, 4);
  return head;
}

/** Takes chunks as they come and hands out frames; a longer one than allowed is an error. */
export function createFrameReader(bytesMax: number): (chunk: Buffer) => Frame[] {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = HEAD_BYTES;

  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    const frames: Frame[] = [];
    // Joined only when there is enough, so that a large frame is copied once and not with each
    // chunk.
    while (held >= wanted) {
      const all = Buffer.concat(chunks);
      const length = all.readUInt32BE();
      if (length > bytesMax) throw new Error(`a frame of ${length} bytes`);
      wanted = HEAD_BYTES + length;
      if (held >= wanted) {
        frames.push({ kind: all.readUInt8(4), bytes: all.subarray(HEAD_BYTES, wanted) });
        chunks = [all.subarray(wanted)];
        held -= wanted;
        wanted = HEAD_BYTES;
      } else chunks = [all];
    }
    return frames;
  };
}
