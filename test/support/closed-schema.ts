/**
 * A document whose objects have the fields that it names and no others. Published, it is open:
 * clients must live with fields to come. Here it is closed, so that no answer has a field that
 * nobody wrote down.
 */

export type Schema = Readonly<Record<string, unknown>>;

export function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (part === null || typeof part !== "object") return part;
  const whole = part as Schema;
  const entries = Object.entries(whole).map(([name, one]) => [name, closed(one)]);
  const isOpen = whole.additionalProperties === undefined && whole.patternProperties === undefined;
  const isObject = whole.type === "object" && typeof whole.properties === "object";
  return {
    ...Object.fromEntries(entries),
    ...(isObject && isOpen ? { additionalProperties: false } : {}),
  };
}
