/** What an OpenAPI document gives as examples, from the places where OpenAPI keeps them. */

export interface DocumentSchema {
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
}

interface WithExamples {
  readonly schema?: DocumentSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface DocumentParameter extends WithExamples {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}

export interface DocumentOperation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly object[];
  readonly parameters?: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, WithExamples>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface OpenapiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

/** The same with everything in the place where it is only referred to. */
export function inlined<T>(document: OpenapiDocument, value: T): T {
  const text = JSON.stringify(value, (_, one: unknown) => {
    const { $ref } = (one ?? {}) as { $ref?: unknown };
    return typeof $ref === "string" ? inlined(document, referred(document, $ref)) : one;
  });
  return JSON.parse(text) as T;
}

function referred(document: OpenapiDocument, reference: string): unknown {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
}

/** What a parameter or a body looks like; undefined when the document does not say. */
export function exampleOf({ example, examples }: WithExamples): unknown {
  const [first] = Object.values(examples ?? {});
  return example ?? first?.value;
}

/** The lowest of the successes that it lists. */
export function successOf({ responses }: DocumentOperation): number {
  const [lowest = 200] = Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 200 && status < 300)
    .sort((one, other) => one - other);
  return lowest;
}

export function isOpen({ security }: DocumentOperation): boolean {
  return (security ?? []).length === 0;
}
