/** Where a mail program is opened for an address, whatever signs it has before its "@". */
export function mailtoOf(email: string): string {
  return `mailto:${email.split("@").map(encodeURIComponent).join("@")}`;
}
