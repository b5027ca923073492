/**
 * Certificates for tests, made on the spot: a key in the repository would be a secret in the
 * repository, and `openssl` is not on every machine. Node signs but does not write certificates, so
 * the few lines of DER are written here; they hold what these tests need and nothing else.
 */

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateWish {
  /** Names, or addresses, that it is good for. */
  readonly hosts: readonly string[];
  readonly daysFromNow?: { readonly from: number; readonly to: number };
}

export interface Authority {
  readonly cert: string;
  readonly issue: (wish: CertificateWish) => Identity;
}

const DAY_MS = 86_400_000;

/** An authority that nobody knows until its certificate is trusted. */
export function createAuthority(name: string): Authority {
  const keys = newKeys();
  const cert = certificate({ subject: name, issuer: name, keys, signer: keys, isAuthority: true });
  return {
    cert,
    issue: (wish) => {
      const own = newKeys();
      const subject = wish.hosts[0] ?? "nobody";
      return {
        key: pemOf(own),
        cert: certificate({ subject, issuer: name, keys: own, signer: keys, ...wish }),
      };
    },
  };
}

/** One that vouches for itself. */
export function selfSigned(wish: CertificateWish): Identity {
  const keys = newKeys();
  const name = wish.hosts[0] ?? "nobody";
  const cert = certificate({ subject: name, issuer: name, keys, signer: keys, ...wish });
  return { key: pemOf(keys), cert };
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function newKeys(): Keys {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf({ privateKey }: Keys): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

interface Parts extends Partial<CertificateWish> {
  readonly subject: string;
  readonly issuer: string;
  readonly keys: Keys;
  readonly signer: Keys;
  readonly isAuthority?: boolean;
}

function certificate(parts: Parts): string {
  const { daysFromNow = { from: -1, to: 30 }, hosts = [], isAuthority = false } = parts;
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  const extensions = [
    // basicConstraints, critical
    sequence(oid("551d13"), TRUE, octets(sequence(...(isAuthority ? [TRUE] : [])))),
    // subjectAltName
    ...(hosts.length > 0 ? [sequence(oid("551d11"), octets(sequence(...hosts.map(altName))))] : []),
  ];
  const content = sequence(
    tagged(0xa0, integer(2)),
    integer(1 + Math.floor(performance.now() * 1000)),
    ecdsaWithSha256,
    commonName(parts.issuer),
    sequence(utcTime(daysFromNow.from), utcTime(daysFromNow.to)),
    commonName(parts.subject),
    parts.keys.publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", content, parts.signer.privateKey);
  const der = sequence(content, ecdsaWithSha256, tagged(0x03, Buffer.of(0), signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function altName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  return isAddress
    ? tagged(0x87, Buffer.from(host.split(".").map(Number)))
    : tagged(0x82, Buffer.from(host));
}

function commonName(name: string): Buffer {
  const utf8 = tagged(0x0c, Buffer.from(name));
  return sequence(tagged(0x31, sequence(oid("550403"), utf8)));
}

function utcTime(daysFromNow: number): Buffer {
  const time = new Date(Date.now() + daysFromNow * DAY_MS).toISOString();
  return tagged(0x17, Buffer.from(`${time.replace(/[-:T]/g, "").slice(2, 14)}Z`));
}

const TRUE = Buffer.from("0101ff", "hex");

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function octets(inner: Buffer): Buffer {
  return tagged(0x04, inner);
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  // The highest bit is a sign.
  return tagged(0x02, Buffer.alloc((bytes[0] ?? 0) >= 0x80 ? 1 : 0), bytes);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), content]);
}
