// The host's pages: the keys of the menu, and parts that follow what happens elsewhere.
"use strict";
{
  const EVERY = 3000;
  const isTyping = (one) => one.matches("input, textarea, select, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
      return;
    }
    if (event.key === "Escape" && isTyping(event.target)) {
      return;
    }
    const way = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (way) {
      event.preventDefault();
      way.click();
    }
  });

  // A part that somebody has their fingers in stays as it is.
  const isChanged = (option) => option.selected !== option.defaultSelected;
  const isInUse = (part) => part.contains(document.activeElement) || [...part.querySelectorAll("option")].some(isChanged);

  async function follow() {
    const parts = [...document.querySelectorAll("[data-follow]")].filter((part) => !isInUse(part));
    if (!parts.length || document.hidden) {
      return;
    }
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) {
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of parts) {
      const fresh = page.querySelector(`[data-follow="${CSS.escape(part.dataset.follow)}"]`);
      if (fresh && !isInUse(part) && fresh.innerHTML !== part.innerHTML) {
        part.replaceChildren(...fresh.childNodes);
      }
    }
  }

  if (document.querySelector("[data-follow]")) {
    setInterval(() => follow().catch(() => {}), EVERY);
  }
}
