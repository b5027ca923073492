/**
 * A device with passkeys, in software: it answers registration and authentication as WebAuthn has
 * it, with ES256 and no attestation. What a test says otherwise (another origin, no user verified,
 * a count that went back) is signed as well, so only the service's own check can refuse it.
 */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

interface Said {
  readonly origin: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly isUserVerified?: boolean;
  readonly count?: number;
  readonly challenge?: string;
}

interface Options {
  readonly challenge: string;
}

export interface PasskeyDevice {
  readonly id: string;
  /** Answers `navigator.credentials.create`. */
  register(options: Options, said: Said): string;
  /** Answers `navigator.credentials.get`. */
  use(options: Options, said: Said): string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export function createPasskeyDevice(): PasskeyDevice {
  const id = randomBytes(32);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = id.toString("base64url");
  let count = 0;
  const countOf = (said: Said) => said.count ?? ++count;
  const wrap = (response: object) =>
    JSON.stringify({
      id: name,
      rawId: name,
      type: "public-key",
      clientExtensionResults: {},
      response,
    });
  return {
    id: name,
    register(options, said) {
      const length = Buffer.from([id.length >> 8, id.length & 255]);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const authData = Buffer.concat([authenticatorData(said, countOf(said), true), credential]);
      return wrap({
        clientDataJSON: clientData("webauthn.create", options, said).toString("base64url"),
        attestationObject: attestation(authData).toString("base64url"),
        transports: ["internal"],
      });
    },
    use(options, said) {
      const authData = authenticatorData(said, countOf(said), false);
      const client = clientData("webauthn.get", options, said);
      const digest = createHash("sha256").update(client).digest();
      return wrap({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", Buffer.concat([authData, digest]), privateKey).toString(
          "base64url",
        ),
      });
    },
  };
}

function clientData(usual: string, { challenge }: Options, said: Said): Buffer {
  const { origin, type = usual } = said;
  return Buffer.from(
    JSON.stringify({ type, challenge: said.challenge ?? challenge, origin, crossOrigin: false }),
  );
}

function authenticatorData(said: Said, count: number, hasCredential: boolean): Buffer {
  const rpId = said.rpId ?? new URL(said.origin).hostname;
  const flags =
    USER_PRESENT |
    (said.isUserVerified === false ? 0 : USER_VERIFIED) |
    (hasCredential ? HAS_CREDENTIAL : 0);
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags);
  tail.writeUInt32BE(count, 1);
  return Buffer.concat([createHash("sha256").update(rpId).digest(), tail]);
}

/** CBOR, as far as it is needed: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const bytes = (text: string) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, "base64url")]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ]);
}

/** `{fmt: "none", attStmt: {}, authData}`. */
function attestation(authData: Buffer): Buffer {
  const text = (word: string) =>
    Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
  const length = Buffer.from([0x59, authData.length >> 8, authData.length & 255]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text("fmt"),
    text("none"),
    text("attStmt"),
    Buffer.from([0xa0]),
    text("authData"),
    length,
    authData,
  ]);
}
