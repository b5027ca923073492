/** Tables and figures as docs/dependencies.md writes them. */

const MB = 1_000_000;
const SMALL_BYTES = 50_000;

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function megabytes(bytes: number): string {
  return bytes < SMALL_BYTES ? "< 0.1" : (bytes / MB).toFixed(1);
}

/** "one package", "3 packages". */
export function count(number: number, noun: string): string {
  return number === 1 ? `one ${noun}` : `${number} ${noun}s`;
}

/** Names in a sentence. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
