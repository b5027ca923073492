/**
 * The target of a request as it stands in its first line: usually a path, but a client may write
 * the whole address (RFC 9112 §3.2.2), and then that, not the Host header, says which site it
 * means.
 */

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** The path and query of a target, which is all that routing and links may see. */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(ABSOLUTE, "");
  return rest === target || rest.startsWith("/") ? rest : `/${rest}`;
}

/** The site that a target names; undefined when it is only a path. */
export function authorityOf(target: string): string | undefined {
  return target.startsWith("/") ? undefined : ABSOLUTE.exec(target)?.[1];
}
