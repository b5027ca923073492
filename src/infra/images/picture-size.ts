/** How large a picture may be before it is decoded, and how large it is afterwards. */

import { PictureRefused } from "./picture-refused.ts";

export const THUMBNAIL_SIDE = 200;
export const PIXELS_MAX = 25_000_000;
const SIDE_MAX = 12_000;

export function demandDimensions(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new PictureRefused("damaged", "a side of no length");
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
    throw new PictureRefused("dimensions", `${width} by ${height}`);
}
