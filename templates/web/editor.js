// The page of a game as it is edited: a draft and what is wrong with it while one types, and random games that go on.
"use strict";
{
  const PAUSE = 700;
  const EVERY = 800;
  const form = document.querySelector("[data-editor]");
  const read = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

  // Takes the parts of a fresh page; True if random games go on there.
  function show(page) {
    const isRunning = page.querySelector("[data-running]") !== null;
    for (const part of document.querySelectorAll("[data-part]")) {
      const fresh = page.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
      if (!fresh || fresh.innerHTML === part.innerHTML) {
        continue;
      }
      const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
      part.replaceChildren(...fresh.childNodes);
      if (focused) {
        (document.getElementById(focused) ?? form.elements.text).focus();
      }
    }
    return isRunning;
  }

  if (form) {
    const text = form.elements.text;
    const numbers = document.querySelector(".numbers");
    let kept = text.value;
    let timer = 0;
    let sending = Promise.resolve();
    let isTold = false;

    function count() {
      const lines = text.value.split("\n").length;
      if (numbers.dataset.lines !== String(lines)) {
        numbers.dataset.lines = lines;
        numbers.textContent = Array.from({ length: lines }, (_, at) => at + 1).join("\n") + "\n\n\n";
      }
      numbers.scrollTop = text.scrollTop;
    }

    async function send(what) {
      const sent = text.value;
      const fields = new URLSearchParams(new FormData(form));
      fields.set("do", what);
      const answer = await fetch(form.action, { method: "POST", body: fields });
      const isPage = (answer.headers.get("content-type") ?? "").startsWith("text/html");
      if (!isPage) {
        return;
      }
      let page = await read(answer);
      if (what === "check" && answer.ok && !page.querySelector("[data-editor]")) {
        // The answer is the page for browsers without scripts.
        page = await read(await fetch(form.dataset.editor));
      }
      // Once somebody else has changed the page, nothing is sent until that is answered.
      isTold = answer.status === 409;
      if (answer.ok && what !== "stop") {
        kept = sent;
        form.elements.version.value = page.querySelector('[name="version"]')?.value ?? form.elements.version.value;
      }
      if (show(page)) {
        setTimeout(() => follow().catch(() => {}), EVERY);
      }
    }

    let waiting = 0;
    function queue(what) {
      waiting += 1;
      sending = sending
        .then(() => send(what))
        .catch(() => {})
        .finally(() => {
          waiting -= 1;
        });
    }

    async function follow() {
      const answer = await fetch(form.dataset.editor).catch(() => null);
      if (!answer?.ok || text.value !== kept) {
        return;
      }
      const page = await read(answer);
      if (show(page)) {
        setTimeout(() => follow().catch(() => {}), EVERY);
      }
    }

    text.addEventListener("input", () => {
      count();
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!isTold && text.value !== kept) {
          queue("look");
        }
      }, PAUSE);
    });
    text.addEventListener("scroll", count);
    form.addEventListener("submit", (event) => {
      clearTimeout(timer);
      const what = event.submitter?.value;
      if (event.submitter?.name === "do" && (what === "check" || what === "stop")) {
        event.preventDefault();
        queue(what);
      } else if (waiting) {
        // The draft that is on its way changes the version that this form is to send.
        event.preventDefault();
        sending.then(() => form.requestSubmit(event.submitter));
      }
    });
    document.addEventListener("click", (event) => {
      const way = event.target.closest("[data-line]");
      if (!way) {
        return;
      }
      event.preventDefault();
      const lines = text.value.split("\n");
      const at = Math.min(Number(way.dataset.line), lines.length) - 1;
      const begin = lines.slice(0, at).join("\n").length + (at ? 1 : 0);
      text.focus();
      text.setSelectionRange(begin, begin + lines[at].length);
      text.scrollTop = Math.max(0, (at - 3) * (text.scrollHeight / lines.length));
    });
    numbers.classList.add("has-numbers");
    count();
    if (document.querySelector("[data-running]")) {
      setTimeout(() => follow().catch(() => {}), EVERY);
    }
  }

  if (document.querySelector("[data-waits]")) {
    setInterval(async () => {
      const answer = await fetch(location.href).catch(() => null);
      if (answer?.ok) {
        location.replace(answer.url);
      }
    }, EVERY * 2);
  }
}
