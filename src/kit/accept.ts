/** What an Accept header says about a media type (RFC 9110 §12.5.1). */

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * From 0 (not acceptable) to 1; undefined when the header does not name the type. A wildcard names
 * only itself. A weight that cannot be read counts as 0.
 */
export function weightIn(accept: string | undefined, type: string): number | undefined {
  const weights = (accept ?? "").split(",").flatMap((range) => {
    const [name, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (name !== type) return [];
    const input = parameters.find((parameter) => parameter.startsWith("q="));
    return input === undefined ? 1 : Number(WEIGHT.exec(input)?.[1] ?? 0);
  });
  return weights.length === 0 ? undefined : Math.max(...weights);
}

/** Browsers name HTML; API clients do not. */
export function acceptsHtml(accept: string | undefined): boolean {
  return (weightIn(accept, "text/html") ?? 0) > 0;
}
