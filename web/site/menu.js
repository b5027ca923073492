/** The menu of narrow screens closes when something beside it is clicked, as people expect of one. */

// @ts-check

document.addEventListener("click", ({ target }) => {
  const menu = document.querySelector("details.menu-fold[open]");
  if (target instanceof Element && !menu?.contains(target)) menu?.removeAttribute("open");
});
