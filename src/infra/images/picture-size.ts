/** How large a picture may be before it is decoded, and how large it is afterwards. */

import { PictureRefused } from "./picture-refused.ts";

/** What is kept of a picture: a square that it fills, or a logo whole inside its frame. */
export type PictureShape = "thumbnail" | "logo";

export const FRAMES = {
  thumbnail: { width: 200, height: 200, fit: "cover" },
  logo: { width: 480, height: 160, fit: "inside" },
} as const;

export const PIXELS_MAX = 25_000_000;
const SIDE_MAX = 12_000;

export function demandDimensions(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new PictureRefused("damaged", "a side of no length");
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
    throw new PictureRefused("dimensions", `${width} by ${height}`);
}
