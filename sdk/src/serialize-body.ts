/** Bodies as the service reads them: JSON, or a form where there is a file among the fields. */
export function serializeBody(body: unknown): string | FormData {
  if (body instanceof FormData) return body;
  const fields = Object.entries(body as Record<string, unknown>);
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of fields)
    form.append(name, value instanceof Blob ? value : String(value));
  return form;
}
