/**
 * The pages that the customer's browser sees: the document that leads to the Conductor, the hidden
 * fingerprint, the bank's question, the post back to the merchant, and the error page. Those that
 * lead on have a script and no button, as the real ones do.
 */

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2733; --soft: #52606d; --ground: #eef1f4;
  --sheet: #fff; --line: #c5ced6; --strong: #5b2a86; --on-strong: #fff; --wrong: #a4161a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef2f5; --soft: #b3bfca; --ground: #13181d; --sheet: #1c242c; --line: #46525e;
    --strong: #cfa8f2; --on-strong: #220b38; --wrong: #ffb3b3; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; align-content: safe center;
  justify-items: center; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 27rem; padding: 1.5rem; background: var(--sheet); }
@media (min-width: 30rem) and (min-height: 34rem) {
  main { border: 1px solid var(--line); border-radius: .75rem; } }
.bank { margin: 0 0 1rem; font-weight: 600; color: var(--soft); }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
.note { margin: 1rem 0 0; font-size: .875rem; color: var(--soft); }
.wrong { color: var(--wrong); font-weight: 600; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.25rem;
  padding: .75rem 0; border-block: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; text-align: end; font-variant-numeric: tabular-nums; }
form { display: grid; gap: .75rem; }
label { display: grid; gap: .25rem; font-weight: 600; }
input { min-height: 3rem; padding: .5rem .75rem; border: 1px solid var(--soft);
  border-radius: .5rem; background: var(--sheet); color: var(--ink); font: inherit; }
button { min-height: 3rem; padding: .5rem 1rem; border: 1px solid var(--strong);
  border-radius: .5rem; background: transparent; color: var(--strong); font: inherit;
  font-weight: 600; cursor: pointer; }
button.first { background: var(--strong); color: var(--on-strong); }
:is(button, input):focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;

const FILL_AND_SEND = `
var f = document.forms["powertranz_spi"];
f.browserLanguage.value = navigator.language || "en";
f.browserWidth.value = String(window.innerWidth || screen.width);
f.browserHeight.value = String(window.innerHeight || screen.height);
f.browserTimeZone.value = String(new Date().getTimezoneOffset());
f.browserJavaEnabled.value = "false";
f.browserJavascriptEnabled.value = "true";
f.browserColorDepth.value = String(screen.colorDepth || 24);
f.submit();
`;

const BROWSER_FIELDS = [
  "browserLanguage",
  "browserWidth",
  "browserHeight",
  "browserTimeZone",
  "browserJavaEnabled",
  "browserJavascriptEnabled",
  "browserColorDepth",
];

/** What `spi/sale` answers as RedirectData. */
export function redirectDocument({ root, token }: { root: string; token: string }): string {
  const blanks = Object.fromEntries(BROWSER_FIELDS.map((name) => [name, ""]));
  return document(
    "PowerTranz",
    `<form name="powertranz_spi" id="powertranz_spi" method="POST"
action="${escapeHtml(root)}spi/Conductor">
${hidden({ SpiToken: token, ...blanks })}
</form>
<script>${FILL_AND_SEND}</script>`,
  );
}

/** A page that goes on by itself. */
export function onwardPage(action: string, fields: Readonly<Record<string, string>>): string {
  return document(
    "One moment",
    `<form method="POST" action="${escapeHtml(action)}">
${hidden(fields)}
</form>
<script>document.forms[0].submit();</script>`,
  );
}

/** The bank looks at the browser in a hidden frame, then the page goes on. */
export function fingerprintPage(options: {
  frame: string;
  action: string;
  fields: Readonly<Record<string, string>>;
}): string {
  return document(
    "One moment",
    `<iframe src="${escapeHtml(options.frame)}" hidden title="Device check"></iframe>
<form method="POST" action="${escapeHtml(options.action)}">
${hidden(options.fields)}
</form>
<script>
var sent = false;
function on() { if (!sent) { sent = true; document.forms[0].submit(); } }
document.querySelector("iframe").addEventListener("load", on);
setTimeout(on, 3000);
</script>`,
  );
}

export const FINGERPRINT_FRAME = document("Device check", "");

/** Works without scripts, in a small frame and as a whole window. */
export function challengePage(options: {
  action: string;
  bankId: string;
  /** Absent when the issuer is not given it. */
  amount: string | undefined;
  card: string;
  triesLeft: number | undefined;
}): string {
  const { amount, triesLeft } = options;
  const tries = triesLeft === 1 ? "1 try is" : `${triesLeft} tries are`;
  return sheet(
    "Confirm that it is you",
    `<dl>
${amount === undefined ? "" : `<dt>Amount</dt><dd>${escapeHtml(amount)}</dd>`}
<dt>Card</dt><dd>${escapeHtml(options.card)}</dd>
</dl>
${triesLeft === undefined ? "" : `<p class="wrong" role="alert">Wrong password. ${tries} left.</p>`}
<form method="POST" action="${escapeHtml(options.action)}">
${hidden({ bankId: options.bankId })}
<label>Password
<input type="password" name="password" autocomplete="off" autocapitalize="none"></label>
<button class="first" name="choice" value="submit">Submit</button>
<button name="choice" value="cancel">Cancel</button>
</form>
<p class="note">This is a fake bank for tests. The password is 3ds2.</p>`,
  );
}

/** Where the real gateway stands still, so does this. */
export function errorPage(title: string, sentence: string): string {
  return sheet(title, `<p>${escapeHtml(sentence)}</p>`);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function hidden(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join("\n");
}

function sheet(title: string, body: string): string {
  return document(
    `${title} · Fake Bank`,
    `<main aria-label="Fake Bank">
<p class="bank">Fake Bank</p>
<h1>${title}</h1>
${body}
</main>`,
    STYLE,
  );
}

function document(title: string, body: string, style?: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${style === undefined ? "" : `<style>${style}</style>\n`}</head>
<body>
${body}
</body>
</html>
`;
}
