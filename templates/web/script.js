// Keeps a table's page as it is on the host's screen, and readable where the host cannot be reached.
"use strict";
{
  const STALE = 40000; // the host says something every 15 s at least
  const AGAIN = 2000;
  const reach = document.getElementById("reach");
  const told = document.getElementById("told");
  const { news, length } = document.body.dataset;
  let have = length;
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
    const part = document.getElementById(id);
    const open = [...part.querySelectorAll("details[open]")].map((one) => one.dataset.keep);
    const focused = part.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
    part.innerHTML = html;
    for (const one of part.querySelectorAll("details")) {
      one.open = open.includes(one.dataset.keep);
    }
    if (focused !== undefined) {
      part.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  function show(event) {
    reached();
    const fresh = JSON.parse(event.data);
    have = event.lastEventId;
    for (const [id, html] of Object.entries(fresh.sections)) {
      replace(id, html);
    }
    told.textContent = fresh.told;
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
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", (event) => event.persisted && listen());
  listen();
}
