// Sets the size of a television's page so that everything is on it, and as large as that allows.
"use strict";
{
  const SMALLEST = 0.012; // of the screen's height: rather small than cut off
  const LARGEST = 0.045;
  const STEPS = 8;
  const root = document.documentElement;

  function fits(size) {
    root.style.fontSize = `${size * innerHeight}px`;
    return root.scrollHeight <= innerHeight && root.scrollWidth <= innerWidth;
  }

  function fit() {
    let [small, large] = [SMALLEST, LARGEST];
    for (let step = 0; step < STEPS; step += 1) {
      const middle = (small + large) / 2;
      [small, large] = fits(middle) ? [middle, large] : [small, middle];
    }
    fits(small);
  }

  // Not what is within them: a countdown changes each second.
  const changed = new MutationObserver(fit);
  for (const id of ["reach", "board", "newest"]) {
    changed.observe(document.getElementById(id), { childList: true });
  }
  addEventListener("resize", fit);
  fit();
}
