/**
 * Remembers the language that code is shown in, for all guides and the next visit. It is kept in
 * this browser only; without a script, or without its memory, the choice holds for the page.
 */

// @ts-check

const LANGUAGE_KEY = "windward-language";

function rememberedLanguage() {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null; // the browser keeps nothing for this site
  }
}

{
  const wanted = document.getElementById(`in-${rememberedLanguage()}`);
  if (wanted instanceof HTMLInputElement) wanted.checked = true;
}

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "language") return;
  try {
    localStorage.setItem(LANGUAGE_KEY, target.value);
  } catch {
    // It holds for this page.
  }
});
