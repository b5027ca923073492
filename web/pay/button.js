/**
 * Opens payment links in a frame over the page that carries them (Decision 0100). Any site may load
 * this file; it needs nothing else:
 *
 *   <a class="windward-pay" href="https://…/pay/…">Pay</a>
 *   <script src="https://…/pay/button.js" async></script>
 *
 * A click opens the link in a dialog, which keeps the focus, and which Escape and "Close" close.
 * Without this script, in browsers without dialogs, with a modifier key, or where the frame is
 * refused or silent, the link is followed as any other. Of the frame it takes one message: how high
 * it is. Its styles are set by properties, so a strict `style-src` has nothing against them.
 */

// @ts-check

(() => {
  const script = document.currentScript;
  const origin = script instanceof HTMLScriptElement ? new URL(script.src).origin : "";
  /** In which the frame has to say how high it is; a page that was refused says nothing. */
  const ANSWERS_WITHIN_MS = 10_000;
  const HEIGHT_MIN = 200;
  const HEIGHT_MAX = 10_000;

  document.addEventListener("click", (event) => {
    const { target } = event;
    const link = target instanceof Element ? target.closest("a.windward-pay") : null;
    if (!(link instanceof HTMLAnchorElement) || !isPlain(event)) return;
    if (link.origin !== origin || !link.pathname.startsWith("/pay/")) return;
    if (typeof HTMLDialogElement !== "function") return;
    event.preventDefault();
    open(link);
  });

  /** @param {MouseEvent} event */
  function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented }) {
    return button === 0 && !(ctrlKey || metaKey || shiftKey || altKey || defaultPrevented);
  }

  /** @param {HTMLAnchorElement} link */
  function open(link) {
    const dialog = document.createElement("dialog");
    const close = document.createElement("button");
    const frame = document.createElement("iframe");
    const label = link.textContent?.trim() || "Payment";
    dialog.setAttribute("aria-label", label);
    Object.assign(dialog.style, {
      width: "min(28rem, 100vw)",
      maxWidth: "100vw",
      maxHeight: "100dvh",
      padding: "0",
      border: "0",
      borderRadius: "0.75rem",
      // As the page in it, which is light on every site.
      colorScheme: "light",
      background: "Canvas",
      color: "CanvasText",
      overflow: "auto",
    });
    close.type = "button";
    close.textContent = link.dataset.close ?? "Close";
    Object.assign(close.style, {
      display: "block",
      minHeight: "2.75rem",
      marginLeft: "auto",
      padding: "0.5rem 1rem",
      border: "0",
      background: "none",
      color: "inherit",
      font: "600 1rem system-ui, sans-serif",
      cursor: "pointer",
    });
    const address = new URL(link.href);
    address.searchParams.set("frame", "1");
    frame.src = address.href;
    frame.title = label;
    frame.allow = "payment";
    Object.assign(frame.style, { display: "block", width: "100%", height: "35rem", border: "0" });
    dialog.append(close, frame);

    const follow = () => location.assign(link.href);
    const late = setTimeout(follow, ANSWERS_WITHIN_MS);
    /** @param {MessageEvent} message */
    const takeHeight = ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin) return;
      const height = data?.type === "windward:height" ? data.height : undefined;
      if (typeof height !== "number" || !(height >= HEIGHT_MIN)) return;
      clearTimeout(late);
      frame.style.height = `${Math.min(height, HEIGHT_MAX)}px`;
    };
    /** @param {SecurityPolicyViolationEvent} violation */
    const followIfRefused = ({ blockedURI, effectiveDirective: rule }) => {
      if (rule === "frame-src" && blockedURI.startsWith(origin)) follow();
    };
    addEventListener("message", takeHeight);
    document.addEventListener("securitypolicyviolation", followIfRefused);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      clearTimeout(late);
      removeEventListener("message", takeHeight);
      document.removeEventListener("securitypolicyviolation", followIfRefused);
      dialog.remove();
      link.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
  }
})();
