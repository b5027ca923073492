/** Buttons that copy the value they carry, else the code of their figure. */

// @ts-check

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-copy]") : null;
  if (button !== null) copy(button);
});

/** @param {Element} button */
async function copy(button) {
  const near = button.closest("figure") ?? button.parentElement;
  const code = near?.querySelector("code");
  try {
    await navigator.clipboard.writeText(
      button.getAttribute("data-copy") || code?.textContent || "",
    );
  } catch {
    // Over plain http there is no clipboard: the value is marked, to be copied by hand.
    if (code) getSelection()?.selectAllChildren(code);
    return;
  }
  const text = button.querySelector(".copy-text");
  const label = [...(text?.childNodes ?? [])];
  if (text === null || button.classList.contains("copied")) return;
  button.classList.add("copied");
  text.textContent = "Copied";
  announce("Copied");
  setTimeout(() => {
    text.replaceChildren(...label);
    button.classList.remove("copied");
  }, 2000);
}

/** @param {string} text */
function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer !== null) announcer.textContent = text;
}
