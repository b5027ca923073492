/** The time that is left to pay: a clock, quiet until the last minute. */

// @ts-check

const TICK_MS = 1000;

/** @param {() => boolean} isUnderWay Whether a form was sent that has not been answered. */
function showTime(isUnderWay) {
  const time = find("time");
  if (time === null) return;
  const endsAt = performance.now() + Number(textOf(time, "seconds")) * 1000;
  /** @type {Record<string, string>} */
  const warnings = JSON.parse(textOf(time, "warnings"));
  const clock = document.createElement("b");
  time.textContent = `${textOf(time, "label")}: `;
  time.append(clock);
  let shown = Number.POSITIVE_INFINITY;
  const tick = () => {
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    for (const [at, words] of Object.entries(warnings)) {
      if (left > Number(at) || shown <= Number(at)) continue;
      time.classList.add("short");
      // Words for screen readers: others see the clock.
      if (!isUnderWay()) say("time-said", words);
    }
    shown = left;
    // What is under way is answered, also when the time is over: leaving would give that up.
    if (left > 0 || isUnderWay()) return;
    clearInterval(timer);
    say("time-said", textOf(time, "over"));
    // To read how it ended: nobody who waits is led on by a clock.
    setTimeout(() => leave(location.pathname), TICK_MS);
  };
  const timer = setInterval(tick, TICK_MS);
  tick();
}
