/** A shop's logo; without one its picture, or the first letter of its name. */

import { attributes, type Html, html } from "../kit/html.ts";

interface ShopPicture {
  readonly name: string;
  readonly logo?:
    | { readonly src: string; readonly width: number; readonly height: number }
    | undefined;
  readonly picture?: string | undefined;
}

export function shopPicture({ name, logo, picture }: ShopPicture): Html {
  if (logo) return html`<img class="logo"${attributes({ ...logo, alt: "" })}>`;
  if (picture) return html`<img src="${picture}" alt="" width="48" height="48">`;
  const initial = [...name.trim()][0]?.toLocaleUpperCase() ?? "";
  return html`<span class="initial" aria-hidden="true">${initial}</span>`;
}
