/** What stands above the form and says why it is there again. */

// @ts-check

/** @param {string} name @param {string} text */
function elementOf(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/**
 * In place of an earlier one, right above the form.
 *
 * @param {HTMLFormElement} card @param {{ heading: string, texts: readonly string[] }} words
 * @param {Node[]} more
 */
function showNotice(card, { heading, texts }, ...more) {
  hideNotice();
  const notice = document.createElement("div");
  notice.id = "notice";
  notice.className = "notice bad";
  notice.tabIndex = -1;
  notice.setAttribute("role", "alert");
  notice.append(elementOf("h2", heading), ...texts.map((text) => elementOf("p", text)), ...more);
  card.before(notice);
  return notice;
}

function hideNotice() {
  find("notice")?.remove();
}

/**
 * Says at each field what is wrong with it, and lists them above; the first gets the focus.
 *
 * @param {HTMLFormElement} card @param {readonly { field: string, message: string }[]} problems
 */
function showProblems(card, problems) {
  const list = document.createElement("ul");
  for (const { field, message } of problems) {
    const link = document.createElement("a");
    link.href = `#${field}`;
    link.textContent = message;
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
    const place = find(field);
    if (place === null || !isField(place)) continue;
    tell(place, message);
    openAround(place);
  }
  const heading = wordsOf(card).problems[problems.length - 1] ?? "";
  showNotice(card, { heading, texts: [] }, list);
  find(problems[0]?.field ?? "")?.focus();
}
