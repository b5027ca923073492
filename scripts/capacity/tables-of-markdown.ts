/** Tables in a page that a program writes, each between two marks; what is around them is kept. */

const END = "<!-- end of generated -->";

export function replacePart(page: string, name: string, text: string): string {
  const begin = `<!-- generated: ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(END, from);
  if (from === -1 || to === -1)
    throw new Error(`docs/capacity.md has lost the marks around its part "${name}".`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}

/** Columns but for the first are figures. */
export function figureTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const marks = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return tableText([head, marks, ...rows]);
}

export function tableText(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
