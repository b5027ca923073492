/**
 * What the service and its decoder send each other over plain pipes, as frames: four bytes of
 * length, one byte that says what it is, then the bytes themselves.
 */

import { PICTURE_TYPES, type PictureType } from "./picture-type.ts";

/** From the decoder. A picture is sent with the index of its type in `PICTURE_TYPES`. */
export const FRAME_KINDS = { ready: 0, thumbnail: 1, refused: 2, failed: 3, heavy: 4 } as const;

/** An SVG that is drawn only if that is sure to be quick; else the answer is what it may cost. */
export const LIGHT_SVG = 16;

/** What is uploaded, and what comes back; a longer frame is a mistake or worse. */
export const FILE_BYTES_MAX = 5_242_880;
export const THUMBNAIL_BYTES_MAX = 204_800;

const HEAD_BYTES = 5;

export interface Frame {
  readonly kind: number;
  readonly bytes: Buffer;
}

export function kindOf(type: PictureType): number {
  return PICTURE_TYPES.indexOf(type);
}

export function typeOf(kind: number): PictureType {
  const type = PICTURE_TYPES[kind];
  if (type === undefined) throw new Error(`no type of picture is numbered ${kind}`);
  return type;
}

export function writeFrame(to: NodeJS.WritableStream, kind: number, bytes: Buffer): void {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(bytes.length);
  head.writeUInt8(kind, 4);
  to.write(head);
  to.write(bytes);
}

/** Takes chunks as they come and returns whole frames; a longer one than allowed is an error. */
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
