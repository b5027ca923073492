/** The browser's own way to share, where it has one: otherwise the button stays hidden. */

// @ts-check

if (typeof navigator.share === "function") document.documentElement.classList.add("can-share");

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-share]") : null;
  if (!(button instanceof HTMLElement)) return;
  const { share: url = "", shareTitle: title = "" } = button.dataset;
  // Rejects when the person changes their mind.
  navigator.share({ title, url }).catch(() => {});
});
