/** What the service and its decoder say to each other, as kinds of frames. */

import { PICTURE_TYPES, type PictureType } from "./picture-type.ts";

/** From the decoder. A picture is asked for by the place of its type in `PICTURE_TYPES`. */
export const SAYS = { ready: 0, thumbnail: 1, refused: 2, failed: 3, heavy: 4 } as const;

/** An SVG that is drawn only if that is sure to be quick; else the answer is what it may cost. */
export const LIGHT_SVG = 16;

/** What is uploaded, and what comes back; a longer frame is a mistake or worse. */
export const FILE_BYTES_MAX = 5_242_880;
export const THUMBNAIL_BYTES_MAX = 204_800;

export function kindOf(type: PictureType): number {
  return PICTURE_TYPES.indexOf(type);
}

export function typeOf(kind: number): PictureType {
  const type = PICTURE_TYPES[kind];
  if (type === undefined) throw new Error(`no type of picture is numbered ${kind}`);
  return type;
}
