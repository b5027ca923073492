/**
 * What a mail says, as it lies in the database: sealed, because it may have a link that signs
 * somebody in (Decision 0086). A box is bound to its mail and its recipient, so that one copied to
 * another row, or sent to another address, does not open.
 */

import { derivedKey, type Keyring, seal, unseal } from "../../kit/secrets.ts";
import type { RenderedMail } from "./render-mail.ts";

interface Owner {
  readonly mailId: string;
  readonly recipient: string;
}

interface Sealed {
  readonly keyId: string;
  readonly box: Buffer;
}

export function sealContent({ current }: Keyring, owner: Owner, content: RenderedMail): Sealed {
  const { subject, text, html } = content;
  const plain = Buffer.from(JSON.stringify([subject, text, html]));
  return { keyId: current.id, box: seal(derivedKey(current, "mail"), plain, boundTo(owner)) };
}

/** Throws when its key is not on the ring, or the box is of another mail. */
export function openContent(keyring: Keyring, owner: Owner, { keyId, box }: Sealed): RenderedMail {
  const key = keyring.byId(keyId);
  if (key === undefined) throw new Error(`wrapping key ${keyId} is not configured`);
  const plain = unseal(derivedKey(key, "mail"), box, boundTo(owner)).toString();
  const [subject, text, html] = JSON.parse(plain);
  return { subject, text, html };
}

function boundTo({ mailId, recipient }: Owner): string {
  return `mail ${mailId} to ${recipient}`;
}
