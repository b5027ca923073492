/**
 * What a page can be used for, as a browser would find it: the forms that it posts, with what
 * stands in them, and the paths of ours that it leads to.
 */

import { tagsIn } from "../html-tags.ts";

/** How a field gets its value: by the page, by typing, by choosing, ticking or pressing. */
type ControlKind = "hidden" | "typed" | "chosen" | "ticked" | "pressed" | "file";

export interface Control {
  readonly name: string;
  readonly kind: ControlKind;
  /** What it holds or offers; what is preset stands first. */
  readonly values: readonly string[];
}

export interface PageForm {
  /** A path of ours. */
  readonly action: string;
  readonly takesFiles: boolean;
  readonly controls: readonly Control[];
  /** The page shows the secret of an authenticator app, of which the form asks a code. */
  readonly secret?: string | undefined;
}

type Tag = ReturnType<typeof tagsIn>[number];
interface Found {
  readonly action: string;
  readonly method: string;
  readonly takesFiles: boolean;
  readonly controls: Map<string, Control>;
}

/** `at`: the path of the page, which a form without an action is sent to. */
export function postFormsIn(page: string, at: string): PageForm[] {
  const found: Found[] = [];
  let select = "";
  for (const tag of tagsIn(page)) {
    if (tag.name === "form") found.push(formOf(tag, at));
    const { controls } = found.at(-1) ?? {};
    if (controls === undefined) continue;
    const name = tag.attributes.get("name") ?? "";
    if (tag.name === "select") select = name;
    const control = controlOf(tag, tag.name === "option" ? select : name);
    if (control !== undefined) add(controls, control, isPreset(tag));
  }
  const secret = /<code id="secret">([A-Z2-7 ]+)</.exec(page)?.[1];
  return found
    .filter(({ method, action }) => method === "post" && action.startsWith("/"))
    .map(({ action, takesFiles, controls }) => ({
      ...{ action, takesFiles, secret },
      controls: [...controls.values()],
    }));
}

function formOf({ attributes }: Tag, at: string): Found {
  return {
    action: attributes.get("action") ?? at,
    method: (attributes.get("method") ?? "get").toLowerCase(),
    takesFiles: attributes.get("enctype") === "multipart/form-data",
    controls: new Map(),
  };
}

const KINDS: Readonly<Record<string, ControlKind>> = {
  hidden: "hidden",
  radio: "chosen",
  checkbox: "ticked",
  file: "file",
  submit: "pressed",
};

function controlOf({ name: tag, attributes }: Tag, name: string): Control | undefined {
  if (name === "") return undefined;
  const value = attributes.get("value") ?? "";
  if (tag === "option") return { name, kind: "chosen", values: [value] };
  if (tag === "textarea") return { name, kind: "typed", values: [""] };
  if (tag === "button") return { name, kind: "pressed", values: [value] };
  if (tag !== "input") return undefined;
  return { name, kind: KINDS[attributes.get("type") ?? ""] ?? "typed", values: [value] };
}

function isPreset({ attributes }: Tag): boolean {
  return attributes.has("selected") || attributes.has("checked");
}

function add(controls: Map<string, Control>, control: Control, isFirst: boolean): void {
  const before = controls.get(control.name)?.values ?? [];
  const values = isFirst ? [...control.values, ...before] : [...before, ...control.values];
  controls.set(control.name, { ...control, values });
}

/** Of the page's own links, and of whole addresses that a document or a mail tells. */
export function pathsIn(whole: string, origins: readonly string[]): string[] {
  const text = whole.replaceAll("&quot;", '"');
  const links = text.matchAll(/\b(?:href|src)="([^"#]+)"/g);
  // A sentence goes on, or ends, right behind one.
  const addresses = text.matchAll(/https?:\/\/[^\s"'<>\\)]*[^\s"'<>\\).,:;]/g);
  const told = [...links].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  return [...told, ...[...addresses].map(([address]) => address)].flatMap((one) => {
    if (one.startsWith("/") && !one.startsWith("//")) return [one];
    const origin = origins.find((own) => one.startsWith(`${own}/`));
    return origin === undefined ? [] : [one.slice(origin.length)];
  });
}
