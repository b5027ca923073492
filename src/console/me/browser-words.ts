/** What a browser calls itself, in the words of people: "Firefox on Windows". */

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Headless)?(Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** What is not known stands as it was sent. */
export function browserWords(browser: string): string {
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(browser))?.[1];
  const name = find(BROWSERS);
  const system = find(SYSTEMS);
  if (name === undefined) return browser;
  return system === undefined ? name : `${name} on ${system}`;
}
