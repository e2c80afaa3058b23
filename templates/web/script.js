// Keeps a table's page as it is on the host's screen, and readable where the host cannot be reached.
"use strict";
{
  const STALE = 40000; // the host says something every 15 s at least
  const AGAIN = 2000;
  const TOLD = 15000;
  const SEEN = 600; // what has come just now, nobody can have read before they tapped
  const reach = document.getElementById("reach");
  const told = document.getElementById("told");
  const { news, length } = document.body.dataset;
  let have = length;
  let seen = length;
  let telling = 0;
  let touched = false;
  const untilLetGo = new Map();
  let busy = "";
  let waiting = Promise.resolve();
  let heard = Date.now();
  let tried = 0;
  let source = null;

  const clock = (moment) => new Date(moment).toTimeString().slice(0, 5);

  function reached() {
    heard = Date.now();
    reach.textContent = "";
  }

  function lost() {
    if (!reach.textContent) {
      reach.textContent = `The table is out of reach since ${clock(heard)}; trying again.`;
    }
  }

  // What somebody has opened, or where they are, is there again in the new text.
  function replace(id, html) {
    if (touched) {
      untilLetGo.set(id, html);
      return;
    }
    const part = document.getElementById(id);
    const open = [...part.querySelectorAll("details[open]")].map((one) => one.dataset.keep);
    const focused = part.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
    const typed = [...part.querySelectorAll("input[data-focus]")].filter((one) => one.value !== one.defaultValue);
    part.innerHTML = html;
    for (const one of typed) {
      const again = part.querySelector(`[data-focus="${CSS.escape(one.dataset.focus)}"]`);
      if (again) {
        again.value = one.value;
      }
    }
    for (const one of part.querySelectorAll("details")) {
      one.open = open.includes(one.dataset.keep);
    }
    if (focused !== undefined) {
      part.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  // News lies over the page; the log has it when it goes.
  function tell(text) {
    told.textContent = text;
    clearTimeout(telling);
    telling = setTimeout(() => (told.textContent = ""), TOLD);
  }

  // What this phone itself has done, its owner knows at once.
  function read(number) {
    seen = String(Math.max(seen, number));
  }

  function show(event) {
    reached();
    const fresh = JSON.parse(event.data);
    const before = have;
    have = event.lastEventId;
    setTimeout(read, SEEN, have);
    if (have !== before) {
      for (const [id, html] of Object.entries(fresh.sections)) {
        replace(id, html);
      }
    }
    tell(fresh.told);
  }

  // What a browser without scripts would go to, put into this page: what is being answered, and the table if it is newer.
  function take(page) {
    const part = document.getElementById("answering");
    const fresh = page.getElementById("answering") ?? page.querySelector("main");
    part.innerHTML = fresh?.innerHTML ?? "";
    const now = page.body.dataset.length;
    if (now !== undefined) {
      read(now);
    }
    if (now !== undefined && Number(now) > Number(have)) {
      have = now;
      for (const section of page.querySelectorAll("main > section:not(#answering), header[id]")) {
        replace(section.id, section.innerHTML);
      }
    }
    const heading = part.querySelector("[tabindex]");
    if (heading) {
      heading.focus({ preventScroll: true });
      part.scrollIntoView({ block: "start" });
    } else if (document.activeElement === document.body) {
      document.getElementById("asked").focus({ preventScroll: true });
    }
  }

  async function ask(address, body) {
    try {
      const answer = await fetch(address, body ? { method: "POST", body } : {});
      take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      lost();
      tell("The table is out of reach. Look at it again before you repeat that.");
    }
  }

  // One after the other; the same button twice, before the first is through, is a finger that trembled.
  function once(button, address, body) {
    if (button === busy) {
      return;
    }
    busy = button;
    later(async () => {
      await ask(address, body);
      busy = busy === button ? "" : busy;
    });
  }

  function later(what) {
    waiting = waiting.then(what);
  }

  // A button that is replaced under a finger would not be tapped.
  function touch() {
    touched = true;
  }

  function letGo() {
    setTimeout(() => {
      touched = false;
      for (const [id, html] of untilLetGo) {
        replace(id, html);
      }
      untilLetGo.clear();
    });
  }

  function send(event) {
    const form = event.target;
    if (!("here" in form.dataset)) {
      return;
    }
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    if (event.submitter?.name) {
      body.set(event.submitter.name, event.submitter.value);
    }
    if (body.has("at")) {
      body.set("at", have);
      body.set("read", seen);
    }
    const address = form.getAttribute("action");
    if (form.dataset.here === "again") {
      form.reset();
      later(() => ask(address, body));
    } else {
      once(event.submitter?.dataset.focus ?? address, address, body);
    }
  }

  function follow(event) {
    const link = event.target.closest("a[data-here]");
    if (link) {
      event.preventDefault();
      once(link.href, link.href);
    }
  }

  function listen() {
    source?.close();
    source = new EventSource(`${news}?have=${encodeURIComponent(have)}`);
    source.addEventListener("open", reached);
    source.addEventListener("table", show);
    source.addEventListener("beat", reached);
    source.addEventListener("again", () => location.reload());
    source.addEventListener("error", () => {
      lost();
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(listen, AGAIN);
      }
    });
  }

  // A phone that slept does not know that it has lost the table.
  function wake() {
    if (document.visibilityState === "visible" && (source.readyState !== EventSource.OPEN || Date.now() - heard > AGAIN)) {
      listen();
    }
  }

  setInterval(() => {
    const now = Date.now();
    if (now - heard > STALE && now - tried > STALE / 4) {
      tried = now;
      lost();
      listen();
    }
  }, AGAIN);
  document.addEventListener("submit", send);
  document.addEventListener("pointerdown", touch);
  document.addEventListener("pointerup", letGo);
  document.addEventListener("pointercancel", letGo);
  document.addEventListener("click", follow);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", (event) => event.persisted && listen());
  listen();
}
