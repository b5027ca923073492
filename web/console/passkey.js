/**
 * Passkeys, where scripts run: a form inside `[data-passkey]` is sent once the browser has made or
 * used a passkey with the options that the page holds. Without it the form stays hidden, and the
 * page offers another way.
 */

// @ts-check

const CANCELLED = "The passkey was not used. Please try again, or choose another way.";
const KNOWN = "This device already has a passkey of yours.";

/** @param {string} text */
function bytesOf(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** @param {ArrayBuffer | null | undefined} buffer */
function textOf(buffer) {
  if (!buffer) return undefined;
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {{ id: string }[]} list */
function credentialsOf(list = []) {
  return list.map((each) => ({ ...each, id: bytesOf(each.id) }));
}

/** @param {any} options */
function create(options) {
  return navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: credentialsOf(options.excludeCredentials),
    },
  });
}

/** @param {any} options */
function use(options) {
  return navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: credentialsOf(options.allowCredentials),
    },
  });
}

/** As the server reads it. @param {any} credential */
function answerOf({ id, rawId, type, response, authenticatorAttachment }) {
  return JSON.stringify({
    id,
    rawId: textOf(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: textOf(response.userHandle),
      transports: response.getTransports?.(),
    },
  });
}

/** @param {HTMLElement} area */
function prepare(area) {
  const form = area.querySelector("form");
  const field = form?.querySelector("input[name=response]");
  const problem = area.querySelector("[data-passkey-problem]");
  if (!form || !(field instanceof HTMLInputElement) || problem === null) return;
  const options = JSON.parse(area.dataset.options ?? "{}");
  form.addEventListener("submit", async (event) => {
    if (field.value !== "") return;
    event.preventDefault();
    problem.textContent = "";
    try {
      const made = await (area.dataset.passkey === "create" ? create(options) : use(options));
      field.value = answerOf(made);
      form.requestSubmit();
    } catch (error) {
      const isKnown = error instanceof Error && error.name === "InvalidStateError";
      problem.textContent = isKnown ? KNOWN : CANCELLED;
    }
  });
  area.hidden = false;
}

if ("PublicKeyCredential" in window) {
  for (const area of document.querySelectorAll("[data-passkey]"))
    if (area instanceof HTMLElement) prepare(area);
  for (const words of document.querySelectorAll("[data-no-passkey]")) words.remove();
}
