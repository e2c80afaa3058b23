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

  // The key that stores a form in the terminal.
  document.addEventListener("keydown", (event) => {
    const store = document.querySelector("form.filling button[value=keep]");
    if (store && event.key === "s" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      store.click();
    }
  });

  // Makes a part of the page like a fresh one. What is the same stays, with its focus; a field in use keeps its content.
  function renew(old, fresh) {
    if (old.isEqualNode(fresh)) {
      return;
    }
    const isSame = old.nodeType === 1 && fresh.nodeType === 1 && old.tagName === fresh.tagName && old.id === fresh.id;
    if (!isSame) {
      old.replaceWith(fresh);
      return;
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name)) {
        old.removeAttribute(name);
      }
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) {
        old.setAttribute(name, value);
      }
    }
    if (old === document.activeElement && isTyping(old)) {
      return;
    }
    const before = [...old.childNodes];
    const after = [...fresh.childNodes];
    before.slice(after.length).forEach((one) => one.remove());
    after.forEach((one, at) => (at < before.length ? renew(before[at], one) : old.append(one)));
    if (old.matches("input, textarea, select") && old.type !== "hidden") {
      old.value = fresh.value;
    }
  }

  // Answers are checked as they are given; what follows from them comes without a tap.
  for (const form of document.querySelectorAll("form[data-live]")) {
    let asks = 0;
    let isSent = false;
    let looks = Promise.resolve();
    form.addEventListener("submit", () => (isSent = true));
    addEventListener("pageshow", () => (isSent = false));
    // One look after the other: older answers that arrived behind newer ones would replace them.
    form.addEventListener("change", () => {
      const asked = ++asks;
      looks = looks.then(() => look(asked)).catch(() => {});
    });
    async function look(asked) {
      if (isSent || asked !== asks) {
        return;
      }
      const body = new URLSearchParams(new FormData(form));
      const sent = body.toString();
      body.set("do", "look");
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body }).catch(() => null);
      const text = answer?.ok ? await answer.text() : "";
      // Who has gone on answering meanwhile gets what follows from all of it.
      if (isSent || asked !== asks || !text || new URLSearchParams(new FormData(form)).toString() !== sent) {
        return;
      }
      const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("form[data-live]");
      if (fresh) {
        renew(form, fresh);
      }
    }
  }

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
