/**
 * Posts the height of the simple page to the page around it (Decision 0097): that one number. Any
 * site may frame it, so the message goes to every origin, and says nothing else.
 */

// @ts-check

function tellHeight() {
  const { classList } = document.documentElement;
  const isFramed = parent !== window && classList.contains("simple");
  // The document around a bank's page stands in our own page.
  if (!isFramed || classList.contains("framed")) return;
  let posted = 0;
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === posted) return;
    posted = height;
    parent.postMessage({ type: "windward:height", height }, "*");
  });
  observer.observe(document.body);
}
