/**
 * An e-mail for somebody who may not need the whole of it, and would know it by its beginning and
 * its domain: j…@example.com. A single letter is the whole of a name, so it is not shown.
 */

export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [first = "", ...more] = email.slice(0, at);
  return `${more.length === 0 ? "" : first}…${email.slice(at)}`;
}
