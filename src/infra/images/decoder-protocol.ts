/**
 * What the service and its decoder send each other over plain pipes, as frames: four bytes of
 * length, one byte that says what it is, then the bytes themselves.
 */

import type { PictureShape } from "./picture-size.ts";
import { PICTURE_TYPES, type PictureType } from "./picture-type.ts";

/** From the decoder. */
export const FRAME_KINDS = { ready: 0, picture: 1, refused: 2, failed: 3, heavy: 4 } as const;

/** What is uploaded, and what comes back; a longer frame is a mistake or worse. */
export const FILE_BYTES_MAX = 5_242_880;
export const PICTURE_BYTES_MAX = 409_600;

const HEAD_BYTES = 5;

export interface Frame {
  readonly kind: number;
  readonly bytes: Buffer;
}

/** What is to be drawn, and as what. */
export interface Order {
  readonly type: PictureType;
  readonly shape: PictureShape;
  /** An SVG that is drawn only if that is sure to be quick; else the answer is what it may cost. */
  readonly isLight?: boolean;
}

/** Beside the index of the type in `PICTURE_TYPES`. */
const LIGHT_BIT = 16;
const LOGO_BIT = 32;

export function kindOf({ type, shape, isLight = false }: Order): number {
  return (
    PICTURE_TYPES.indexOf(type) + (isLight ? LIGHT_BIT : 0) + (shape === "logo" ? LOGO_BIT : 0)
  );
}

export function orderOf(kind: number): Required<Order> {
  const type = PICTURE_TYPES[kind % LIGHT_BIT];
  if (type === undefined) throw new Error(`no type of picture is numbered ${kind}`);
  const isLight = (kind & LIGHT_BIT) !== 0;
  return { type, isLight, shape: (kind & LOGO_BIT) === 0 ? "thumbnail" : "logo" };
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
