// Keeps a table's page as it is on the host's screen, and readable where the host cannot be reached.
"use strict";
{
  const STALE = 40000; // the host says something every 15 s at least
  const AGAIN = 2000;
  const TALLY = 1000; // from the last tap on − or + until a change is sent, as at the host's keys
  const LET_GO = 100; // a finger's click comes a little after it was lifted
  const JUST_NOW = 5000;
  const GONE = 300;
  const CALLED = 60;
  const TOLD = 4000; // and so long again for each line of it
  const LINE = 50;
  const SLOW = 700; // what takes longer is told to be on its way
  const AGAIN_AFTER = [1000, 3000]; // what was not answered is sent again by itself
  const SEEN = 600; // what has come just now, nobody can have read before they tapped
  const MOST_CLOSED = 40; // as far back as moments come
  const SHAKE = 200;
  const CHANGE = 2500; // so long a figure's fall stands beside it
  const NEAR = 5000; // so long a finger is about where it tapped
  const MUCH = 0.25; // of the screen
  const GAP = 8; // from the head to a question that stands right below it
  const KEPT = "pages";
  const CONFLICT = 409;
  const FORBIDDEN = 403;
  const POSITION = ["mine", "middle", "seats", "round"]; // the sections that show how things stand
  const MOST_WAITING = 3; // who taps more while the table is out of reach cannot know what that would do
  const reach = document.getElementById("reach");
  const told = document.getElementById("told");
  const question = document.getElementById("question");
  const unsent = document.getElementById("unsent");
  const words = document.getElementById("words");
  const moment = document.getElementById("moment");
  const answering = document.getElementById("answering");
  const head = document.getElementById("head");
  const { news, length, as } = document.body.dataset;
  const language = document.documentElement.lang;
  const unsure = `unsure ${news}`;
  const outcome = `outcome ${news}`;
  const closed = `moments ${news}`;
  const sound = document.getElementById("sound");
  const icon = document.querySelector("link[rel=icon]");
  const usualIcon = icon.href;
  const title = document.title;
  const texts = JSON.parse(document.body.dataset.texts);
  let isMine = null;
  let speaker = null;
  let have = length;
  let seen = length;
  let telling = 0;
  let touched = false;
  let tapped = null;
  let hasMoment = false;
  let isOwnWaiting = false;
  const untilLetGo = new Map();
  let busy = "";
  let onItsWay = "";
  let whenReached = () => {};
  let waiting = Promise.resolve();
  const underWay = [];
  const tallies = new Set();
  const sums = new WeakMap();
  let tally = null;
  let last = null;
  let leaving = false;
  let resting = false;
  const { kept } = document.body.dataset; // when it was last right, where it comes from this phone itself
  let heard = Number(kept) || Date.now();
  let tried = 0;
  let source = null;

  let keeping = 0;

  // The page brings its texts in its own language; their fields are filled here.
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);
  const list = (items) => items.reduce((first, second) => fill(texts.list, { first, second }));

  // As it is now, for when it is opened where the table is out of reach: browsers let only pages by https do that.
  async function keep() {
    if (!navigator.serviceWorker?.controller || !sound || leaving) {
      return;
    }
    const page = document.documentElement.cloneNode(true);
    for (const one of page.querySelectorAll("#reach, #told, #question, #moment, #answering")) {
      one.textContent = "";
    }
    page.querySelector("#unsent").hidden = true;
    page.querySelector("#words").removeAttribute("open");
    page.querySelector("title").textContent = title;
    page.querySelector("link[rel=icon]").href = usualIcon;
    const { dataset } = page.querySelector("body");
    dataset.length = have;
    dataset.kept = heard;
    const pages = await caches.open(KEPT);
    const html = { "content-type": "text/html; charset=utf-8" };
    await pages.put(location.pathname, new Response(`<!DOCTYPE html>${page.outerHTML}`, { headers: html }));
    for (const { url } of await pages.keys()) {
      if (new URL(url).pathname !== location.pathname) {
        pages.delete(url);
      }
    }
  }

  function keepSoon() {
    clearTimeout(keeping);
    keeping = setTimeout(keep, AGAIN);
  }

  const clock = (moment) => new Date(moment).toTimeString().slice(0, 5);

  function reached() {
    heard = Date.now();
    if (reach.textContent) {
      update(() => (reach.textContent = ""));
    }
    whenReached();
  }

  function lost() {
    if (!reach.textContent) {
      update(() => (reach.textContent = fill(texts.out_of_reach, { time: clock(heard) })));
    }
  }

  // Where the head ends that covers what is above: nowhere if it is so large that it is moved away with the page.
  const headEnd = () => (head && getComputedStyle(head).position === "sticky" ? Math.max(0, head.getBoundingClientRect().bottom) : 0);
  const ownTurn = () => document.querySelector("#asked [data-turn]");

  function isInView(one) {
    const { top, bottom, height } = one.getBoundingClientRect();
    return height > 0 && bottom > headEnd() && top < innerHeight && one.checkVisibility();
  }

  // What should stay where it is, the most important first: what was tapped just now, one's own question, the rest.
  function placesInView() {
    const named = [...document.querySelectorAll("main :is([data-focus], [data-keep])")].filter(
      (one) => !one.closest("#moment") && isInView(one),
    );
    const within = (one) => {
      const { focus, keep: kept } = one.dataset;
      const [name, value] = focus === undefined ? ["keep", kept] : ["focus", focus];
      return `#${one.closest("main > *").id} [data-${name}="${CSS.escape(value)}"]`;
    };
    const last = tapped && Date.now() - tapped.at < NEAR ? named.filter(({ dataset }) => dataset.focus === tapped.focus) : [];
    const questions = ["#answering:not(:empty)", "#asked [data-turn] > p"].filter((path) => {
      const top = document.querySelector(path)?.getBoundingClientRect().top;
      return top >= headEnd() && top < innerHeight;
    });
    const asked = isWatching() ? ["#asked"] : [];
    const sections = [...document.querySelectorAll("main > section:not(#moment)")].filter(isInView);
    const paths = [...last.map(within), ...questions, ...asked, ...named.map(within), ...sections.map(({ id }) => `#${id}`)];
    return paths.map((path) => ({ path, top: document.querySelector(path)?.getBoundingClientRect().top }));
  }

  // Whether somebody looks at the place of the questions.
  function isWatching() {
    const { top, bottom } = document.getElementById("asked").getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, headEnd()) > innerHeight * MUCH;
  }

  // Nothing moves under a finger: what is in view stays where it is, whatever comes or goes above it. Only after one's own
  // tap, or where somebody waits for it, the page goes to what is new, and only if that would be out of sight.
  function update(change, isOwn = false) {
    if (!moment) {
      change();
      return;
    }
    const waits = !ownTurn() && (moment.getBoundingClientRect().top >= 0 || isWatching());
    const [before, asked, form] = [placesInView(), question.textContent, answering.innerHTML];
    hasMoment = false;
    change();
    const isOther = answering.innerHTML !== form;
    const isAnswering = isOther && answering.querySelector("form, [tabindex]");
    const own = isAnswering ? answering : isOther || question.textContent !== asked ? ownTurn() : null;
    const news = hasMoment && !isAnswering ? moment : null;
    if ((isOwn || waits) && (own || news)) {
      bringIntoView(news, own);
      return;
    }
    const still = before.find(({ path, top }) => top !== undefined && shownAt(path));
    if (still) {
      scrollBy(0, shownAt(still.path).getBoundingClientRect().top - still.top);
    }
  }

  function shownAt(path) {
    const one = document.querySelector(path);
    return one?.checkVisibility() && one.getBoundingClientRect().height ? one : null;
  }

  function bringIntoView(news, own) {
    const end = headEnd();
    const taps = [...(own?.querySelectorAll("button, label, input") ?? [])].filter((one) => one.checkVisibility());
    const lowest = Math.max(...[...taps, own ?? news].filter(Boolean).map((one) => one.getBoundingClientRect().bottom));
    const highest = (news ?? own)?.getBoundingClientRect().top;
    const first = news && own && lowest - highest > innerHeight - end ? own : (news ?? own);
    const top = first?.getBoundingClientRect().top;
    if (top < end || lowest > innerHeight) {
      scrollBy(0, top - end - GAP);
    }
  }

  // What somebody has opened, or where they are, is there again in the new text.
  function replace(id, html) {
    if (touched) {
      untilLetGo.set(id, html);
      return;
    }
    if (id === "moment") {
      takeMoments(html);
      return;
    }
    const part = document.getElementById(id);
    if (part.innerHTML === html) {
      return;
    }
    const figures = new Map([...part.querySelectorAll(".gauge[data-of]")].map((one) => [one.dataset.of, one]));
    const open = [...part.querySelectorAll("details[open]")].map((one) => one.dataset.keep);
    const focused = part.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
    const filled = [...part.querySelectorAll("input[data-focus]")].filter(
      (one) => one.value !== one.defaultValue || one.checked !== one.defaultChecked,
    );
    part.innerHTML = html;
    for (const one of filled) {
      const again = part.querySelector(`[data-focus="${CSS.escape(one.dataset.focus)}"]`);
      if (again) {
        again.value = one.value;
        again.checked = one.checked;
      }
    }
    part.querySelectorAll("[data-sum]").forEach(sum);
    for (const one of part.querySelectorAll("details")) {
      one.open = open.includes(one.dataset.keep);
    }
    if (focused !== undefined) {
      part.querySelector(`[data-focus="${CSS.escape(focused)}"]:not([hidden])`)?.focus();
    }
    part.querySelectorAll(".gauge[data-of]").forEach((one) => drawChange(one, figures.get(one.dataset.of)));
    drawTallies();
    drawMarks();
    if (id === "asked") {
      sayQuestion();
      feelTurn();
    }
  }

  // What has fallen or risen stands beside its figure for a while, and its bar goes there.
  function drawChange(gauge, earlier) {
    const change = gauge.dataset.number - earlier?.dataset.number;
    if (!change || gauge.dataset.top !== earlier.dataset.top) {
      return;
    }
    const bar = gauge.firstElementChild;
    const now = bar.getAttribute("width");
    const mark = document.createElement("b");
    mark.className = `change ${change < 0 ? "bad" : "good"}`;
    mark.ariaHidden = "true";
    mark.textContent = signed(change);
    gauge.previousElementSibling.append(mark);
    setTimeout(() => mark.remove(), CHANGE);
    bar.setAttribute("width", earlier.firstElementChild.getAttribute("width"));
    bar.getBoundingClientRect();
    requestAnimationFrame(() => bar.setAttribute("width", now));
  }

  const numberOf = (one) => Number(one.dataset.number);

  // What is there already is not said again to those who hear pages: only what is new is put in.
  function takeMoments(html) {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    const now = new Map([...fresh.content.querySelectorAll("[data-number]")].map((one) => [numberOf(one), one]));
    for (const one of moment.querySelectorAll("[data-number]")) {
      const same = now.get(numberOf(one));
      if (same?.textContent === one.textContent) {
        one.className = same.className;
        now.delete(numberOf(one));
      } else {
        one.remove();
      }
    }
    moment.prepend(...now.values());
    drawMoments();
    hasMoment ||= [...now.values()].some((one) => one.checkVisibility());
  }

  // A moment stands until it is touched, or its opponent has given way to the next; what was over before this page
  // came is not shown any more.
  function drawMoments() {
    const all = [...moment.querySelectorAll("[data-number]")];
    if (sessionStorage.getItem(closed) === null) {
      keepClosed(all.filter((one) => one.classList.contains("past")).map(numberOf));
    }
    const away = closedMoments();
    for (const one of all) {
      const isOpen = !away.includes(numberOf(one));
      one.classList.toggle("open", isOpen);
      one.classList.toggle("closed", !isOpen);
      one.querySelector("button").hidden = !isOpen;
    }
  }

  const closedMoments = () => sessionStorage.getItem(closed).split(" ").map(Number);
  const keepClosed = (numbers) => sessionStorage.setItem(closed, numbers.slice(-MOST_CLOSED).join(" "));

  function closeMoment(event) {
    const one = event.target.closest(".open");
    if (!one) {
      return;
    }
    const hadFocus = one.contains(document.activeElement);
    keepClosed([...closedMoments(), numberOf(one)]);
    update(drawMoments);
    if (hadFocus) {
      document.getElementById("asked").focus({ preventScroll: true });
    }
  }

  // A moment in view never hides what this phone is asked: where the buttons do not fit beneath it, the page goes there.
  function showTurn() {
    if ([...moment.querySelectorAll(".open")].some((one) => one.getBoundingClientRect().bottom > 0)) {
      bringIntoView(moment, ownTurn());
    }
  }

  // A head that would cover much of the screen, as with large letters, is moved away with the page.
  function fitHead() {
    head.classList.toggle("large", head.offsetHeight > innerHeight * MUCH);
  }

  // Whether all of a text stands in the open moments, so that nobody needs to read or hear it twice.
  function isInMoments(text) {
    const open = [...(moment?.querySelectorAll(".open") ?? [])].filter((one) => one.getBoundingClientRect().bottom > 0);
    const words = (one) => one.replace(/\s+/g, " ");
    const said = words(open.map((one) => one.textContent).join(" "));
    return text !== "" && text.split("  ").every((sentence) => said.includes(words(sentence.trim())));
  }

  // Who hears pages hears what is asked first and what can be answered; all of it anew would be fifty cards.
  function sayQuestion() {
    const first = document.querySelector("#asked .questions > li");
    const ways = [...(first?.querySelectorAll(".ways button") ?? [])];
    const cards = first?.querySelectorAll(".cards button").length;
    const choices = ways.map((one) => one.getAttribute("aria-label") ?? one.firstChild.textContent.trim());
    const said = [first?.querySelector("p").textContent.trim(), cards ? fill(texts.cards, { cards }) : "", ...choices];
    const text = said.filter(Boolean).join("; ");
    if (question.textContent !== text) {
      question.textContent = text;
    }
  }

  // What the chosen cards do, worked out by the table as they are tapped; only the newest answer is shown.
  function sum(form) {
    const output = form.querySelector(".send output");
    const chosen = [...form.querySelectorAll("[name=item]:checked")];
    const names = chosen.map((one) => one.nextElementSibling.firstChild.textContent).join(" ");
    const text = (sentence) => (output.textContent = [names, sentence].filter(Boolean).join(": "));
    sums.get(form)?.abort();
    text("");
    if (!chosen.length) {
      return;
    }
    const mine = new AbortController();
    sums.set(form, mine);
    const query = new URLSearchParams(new FormData(form));
    for (const name of ["token", "at", "asked", "typed"]) {
      query.delete(name);
    }
    fetch(`${form.dataset.sum}?${query}`, { signal: mine.signal })
      .then((answer) => (answer.ok ? answer.text() : ""))
      .then(text)
      .catch(() => {});
  }

  // One's turn is seen in the list of pages, felt where the phone can shake, and heard where that is wished.
  function feelTurn() {
    const mine = Boolean(ownTurn());
    if (mine === isMine) {
      return;
    }
    document.title = mine ? `● ${title}` : title;
    icon.href = mine ? icon.dataset.turn : usualIcon;
    if (mine && isMine === false) {
      navigator.vibrate?.(SHAKE);
      if (sound.ariaPressed === "true") {
        ring();
      }
    }
    isMine = mine;
  }

  function ring() {
    speaker ??= new AudioContext();
    const tone = new OscillatorNode(speaker, { frequency: 660 });
    const volume = new GainNode(speaker, { gain: 0.2 });
    volume.gain.exponentialRampToValueAtTime(0.001, speaker.currentTime + 0.6);
    tone.connect(volume).connect(speaker.destination);
    tone.start();
    tone.stop(speaker.currentTime + 0.6);
  }

  // A browser lets a page be heard only after a touch: the one that asks for it, which is heard itself.
  function wishSound() {
    const on = sound.ariaPressed !== "true";
    sound.ariaPressed = String(on);
    localStorage.setItem("sound", on ? "on" : "");
    if (on) {
      ring();
    }
  }

  // Where the page may: browsers let only pages by https keep the screen awake.
  function stayAwake() {
    navigator.wakeLock?.request("screen").catch(() => {});
  }

  // News lies over the page; the log has it when it goes.
  function tell(text) {
    told.textContent = text;
    clearTimeout(telling);
    telling = setTimeout(() => (told.textContent = ""), TOLD * (1 + text.length / LINE));
  }

  // What this phone itself has done, its owner knows at once.
  function read(number) {
    seen = String(Math.max(seen, number));
  }

  // What is being answered goes as soon as nobody asks it any more, and a confirmation once the table has moved on.
  async function closeGone() {
    const form = answering?.querySelector("form.answer");
    const address = form && !underWay.length ? addressToCheck(form) : "";
    if (!address) {
      return;
    }
    const answer = await fetch(address).catch(() => null);
    if ([CONFLICT, FORBIDDEN].includes(answer?.status) && answering.contains(form) && !underWay.length) {
      update(() => (answering.textContent = ""));
      const reason = form.dataset.stands ? texts.moved_on : texts.question_gone;
      tell([reason, told.textContent].filter(Boolean).join(" "));
    }
  }

  // Where the table says whether a form is still of use; "" if there is nothing to check.
  function addressToCheck(form) {
    if (form.dataset.stands) {
      const query = new URLSearchParams(new FormData(form));
      query.delete("token");
      return `${form.dataset.stands}&${query}`;
    }
    const { said, line, forgotten } = form.elements;
    const query = new URLSearchParams({ said: said?.value ?? "", line: line?.value ?? "", forgotten: forgotten?.value ?? "" });
    return said?.value ? `${form.getAttribute("action")}?${query}` : "";
  }

  // Advice, and what was not done, are of one position: they go with it. A note in the log changes none.
  function closeOutdated(length, changed) {
    const panel = answering?.querySelector("[data-until]");
    if (panel && Number(length) > Number(panel.dataset.until) && changed.some((id) => POSITION.includes(id))) {
      update(() => (answering.textContent = ""));
    }
  }

  function show(event) {
    reached();
    const fresh = JSON.parse(event.data);
    have = event.lastEventId;
    closeOutdated(have, Object.keys(fresh.sections));
    setTimeout(read, SEEN, have);
    // What this phone has sent may be seen here before it is answered.
    replaceAll(Object.entries(fresh.sections), waitingDeeds().length > 0);
    tell(isInMoments(fresh.told) ? "" : fresh.told);
    closeGone();
    keepSoon();
  }

  function replaceAll(sections, isOwn) {
    isOwnWaiting ||= touched && isOwn;
    update(() => {
      for (const [id, html] of sections) {
        replace(id, html);
      }
    }, isOwn);
  }

  // What a browser without scripts would go to, put into this page: what is being answered, and the table if it is newer.
  function take(page) {
    const part = answering;
    const fresh = page.getElementById("answering") ?? page.querySelector("main");
    if (!fresh) {
      tell(page.body.textContent);
      return;
    }
    const now = page.body.dataset.length;
    if (now !== undefined) {
      read(now);
      if (page.body.dataset.as !== as || page.documentElement.lang !== language) {
        part.innerHTML = fresh.innerHTML;
        loadAnew();
        return;
      }
    }
    const isNewer = now !== undefined && Number(now) >= Number(have);
    have = isNewer ? now : have;
    const newer = isNewer ? [...page.querySelectorAll("main > section:not(#answering), header[id]")] : [];
    isOwnWaiting ||= touched;
    update(() => {
      part.innerHTML = fresh.innerHTML;
      newer.forEach(({ id, innerHTML }) => replace(id, innerHTML));
    }, true);
    const heading = part.querySelector("[tabindex]");
    if (heading) {
      heading.focus({ preventScroll: true });
    } else if (document.activeElement === document.body) {
      document.getElementById("asked").focus({ preventScroll: true });
    }
  }

  // Whoever loads a page while something is on its way from it learns on the next one that this is so.
  function remember() {
    const deeds = waitingDeeds();
    if (deeds.length) {
      sessionStorage.setItem(unsure, list(deeds.map(({ called }) => called)));
    } else {
      sessionStorage.removeItem(unsure);
    }
  }

  // What became of something that was done, in a sentence; the page itself shows it unless it goes just then.
  function became({ called }, page) {
    const instead = page.querySelector("#answering [role=alert]") ?? page.querySelector("#answering > *, body:not([data-length]) main p") ?? (page.querySelector("main") ? null : page.body);
    const reason = instead?.textContent.trim();
    last = { at: Date.now(), text: fill(instead ? texts.not_done : texts.done, { action: called, reason }) };
    return !instead;
  }

  function clear(text) {
    for (const one of document.querySelectorAll('[data-focus="note"]')) {
      one.value = one.value === text ? "" : one.value;
    }
  }

  async function ask({ address, body, keepalive }) {
    const sent = body ? { method: "POST", body, keepalive } : {};
    const answer = await fetch(address, { ...sent, signal: AbortSignal.timeout(STALE) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    reached();
    return page;
  }

  const after = (milliseconds) => new Promise((goOn) => setTimeout(goOn, milliseconds));

  // What is sent again bears the same key, so that it is done once however often it arrives.
  async function askUntilAnswered(deed) {
    for (const pause of deed.body && !deed.keepalive ? [...AGAIN_AFTER, 0] : [0]) {
      const sent = { ...deed };
      try {
        return { sent, page: await ask(sent) };
      } catch {
        deed.hasFailed = true;
        // Whatever is under way breaks off as a page goes: then the next one tells of it.
        await after(GONE + pause);
        lost();
      }
    }
    return null;
  }

  const waitingDeeds = () => underWay.filter(({ body }) => body);

  // Whether it is sent again, as somebody wants or as the table is in reach again, or left alone with what waits behind.
  function offerAgain() {
    const [, again, leaveIt] = unsent.children;
    drawUnsent();
    unsent.hidden = false;
    return new Promise((decide) => {
      whenReached = () => decide(true);
      again.onclick = () => decide(true);
      leaveIt.onclick = () => {
        waitingDeeds().forEach((one) => (one.left = true));
        decide(false);
      };
    }).finally(() => {
      unsent.hidden = true;
      whenReached = () => {};
    });
  }

  function drawUnsent() {
    const others = waitingDeeds().filter(({ instead }) => !instead);
    const waits = others.length ? [fill(texts.waits, { action: list(others.map(({ called }) => called)) })] : [];
    unsent.children[0].textContent = [...waits, ...waitingDeeds().filter(({ instead }) => instead).map(describeInstead)].join(" ");
  }

  const describeInstead = ({ answer, instead }) => fill(texts.instead, { action: answer, earlier: instead });

  // Where the table is out of reach, another answer to the same question is sent instead of the one that waits.
  function takesPlace(deed) {
    const question = questionOf(deed);
    const earlier = waitingDeeds().find((one) => question && questionOf(one) === question);
    if (!earlier || !(earlier.hasFailed || reach.textContent || !navigator.onLine)) {
      return false;
    }
    deed.body.set("once", key());
    Object.assign(earlier, deed, { instead: earlier.answer });
    remember();
    drawMarks();
    drawUnsent();
    tell(describeInstead(earlier));
    return true;
  }

  // The question of an answer: each answer of its form bears it.
  function questionOf({ address, body }) {
    return body?.has("asked") ? [address, ...["asked", "said", "line", "forgotten"].map((name) => body.get(name))].join("\n") : "";
  }

  // An answer in a few words: its cards, what was typed, or its button.
  function answerOf(form, body, called) {
    const chosen = form.dataset.sum ? [...form.querySelectorAll("[name=item]:checked")] : [];
    const names = chosen.map((one) => one.nextElementSibling.firstChild.textContent).join(" ");
    return names || (body.has("step") ? called : body.get("typed")) || called;
  }

  // What waits for the table is little enough to remember.
  function isFull() {
    const full = !unsent.hidden && waitingDeeds().length >= MOST_WAITING;
    if (full) {
      tell(texts.waiting_full);
    }
    return full;
  }

  // One after the other, but for what is sent as the page goes.
  async function through(deed, before) {
    deed.body?.set("once", key());
    underWay.push(deed);
    remember();
    drawMarks();
    const slow = setTimeout(() => {
      // What cannot be sent is listed already, and what was told since then, such as a refusal, is not replaced.
      if (unsent.hidden) {
        onItsWay = fill(texts.on_its_way, { action: deed.called });
        tell(onItsWay);
      }
    }, SLOW);
    if (deed.body && !unsent.hidden) {
      drawUnsent();
    }
    await before;
    let reply = deed.left ? null : await askUntilAnswered(deed);
    const waited = !reply;
    while (!reply && deed.body && !deed.keepalive && !deed.left) {
      last = { at: Date.now(), text: fill(texts.not_sent, { action: deed.called }) };
      tell(last.text);
      if (!(await offerAgain())) {
        break;
      }
      reply = await askUntilAnswered(deed);
    }
    clearTimeout(slow);
    if (told.textContent === onItsWay) {
      tell("");
    }
    underWay.splice(underWay.indexOf(deed), 1);
    remember();
    if (reply) {
      const { sent, page } = reply;
      // The earlier answer has arrived after all; the other one is sent behind it.
      if (sent.body !== deed.body) {
        later({ ...deed, instead: "" });
      }
      if (deed.body && became(sent, page) && deed.body.has("text")) {
        clear(deed.body.get("text"));
      }
      take(page);
      // Nobody looks at a button that was pressed long ago.
      if (deed.body && waited) {
        tell(last.text);
      }
    } else if (!deed.body) {
      tell(texts.look_again);
    }
    drawMarks();
    setTimeout(leave);
  }

  const key = () => [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");

  // A button that was pressed says so at once, and as long as it is under way.
  function drawMarks() {
    const pressed = new Set(underWay.map(({ focus }) => focus));
    for (const one of document.querySelectorAll("button[data-focus]")) {
      one.toggleAttribute("data-pressed", pressed.has(one.dataset.focus));
    }
  }

  function later(deed) {
    waiting = through(deed, waiting);
    return waiting;
  }

  // The same button twice, before the first is through, is a finger that trembled.
  async function once(button, deed) {
    if (button === busy) {
      return;
    }
    if (takesPlace(deed)) {
      busy = button;
      return;
    }
    if (deed.body && isFull()) {
      return;
    }
    busy = button;
    await later(deed);
    busy = [button, deed.focus].includes(busy) ? "" : busy;
  }

  // Somebody else's page is due here now; what was tapped on this one is done first, and what became of it is told.
  function loadAnew() {
    leaving = true;
    source.close();
    sendTally();
    leave();
  }

  function leave() {
    if (!leaving || touched || tally || underWay.length) {
      return;
    }
    if (last && Date.now() - last.at < JUST_NOW) {
      sessionStorage.setItem(outcome, last.text);
    }
    location.reload();
  }

  function tellOutcome() {
    const left = sessionStorage.getItem(unsure);
    const text = sessionStorage.getItem(outcome);
    sessionStorage.removeItem(outcome);
    remember();
    if (left) {
      tell(fill(texts.left, { actions: left }));
    } else if (text) {
      tell(text);
    }
  }

  // Taps on − and + in quick succession are one change, which stands beside its figure until it is through.
  function count(form, sign) {
    const body = new URLSearchParams(new FormData(form));
    const key = `${body.get("target")} ${body.get("counter")}`;
    if (tally?.key !== key) {
      sendTally();
      tally = { key, body, name: form.dataset.called, address: form.getAttribute("action"), amount: 0 };
      tallies.add(tally);
    }
    tally.amount += sign.length > 1 ? Number(sign) : Number(`${sign}${body.get("amount")}`);
    clearTimeout(tally.ends);
    tally.ends = setTimeout(sendTally, TALLY);
    form.reset();
    drawTallies();
  }

  const signed = (amount) => (amount < 0 ? `−${-amount}` : `+${amount}`);

  function drawTallies() {
    for (const one of document.querySelectorAll("[data-tally]")) {
      const here = [...tallies].filter(({ key }) => key === one.dataset.tally);
      one.textContent = here.map(({ amount }) => signed(amount)).join(" ");
    }
  }

  function sendTally(going = false) {
    if (!tally) {
      return;
    }
    const sent = tally;
    const { body, name, address, amount } = sent;
    tally = null;
    clearTimeout(sent.ends);
    const drop = () => {
      tallies.delete(sent);
      drawTallies();
    };
    if (!amount) {
      drop();
      return;
    }
    body.set("amount", Math.abs(amount));
    body.set("sign", amount < 0 ? "-" : "+");
    const deed = { address, body, called: `${name} ${signed(amount)}`, keepalive: going };
    (going ? through(deed) : later(deed)).then(drop);
  }

  // A button that is replaced under a finger would not be tapped.
  function touch() {
    touched = true;
    if (resting) {
      listen();
    }
  }

  function letGo() {
    setTimeout(() => {
      touched = false;
      const [sections, isOwn] = [[...untilLetGo], isOwnWaiting];
      untilLetGo.clear();
      isOwnWaiting = false;
      replaceAll(sections, isOwn);
      leave();
    }, LET_GO);
  }

  function send(event) {
    const form = event.target;
    if (!("here" in form.dataset)) {
      // This page is being left already: loaded anew at the same time, it would be where it was.
      source.close();
      sendTally(true);
      return;
    }
    event.preventDefault();
    const button = event.submitter;
    if (form.dataset.here === "tally") {
      tapped = { focus: button?.dataset.focus, at: Date.now() };
      if (!tally && isFull()) {
        return;
      }
      count(form, button?.value ?? "+");
      return;
    }
    sendTally();
    const body = new URLSearchParams(new FormData(form));
    if (button?.name) {
      body.set(button.name, button.value);
    }
    if (body.has("at")) {
      body.set("at", have);
      body.set("read", seen);
    }
    const address = form.getAttribute("action");
    const called = (button?.firstChild?.textContent ?? "").trim().slice(0, CALLED);
    tapped = { focus: button?.dataset.focus, at: Date.now() };
    const answer = answerOf(form, body, called);
    once(button?.dataset.focus ?? address, { address, body, called, answer, focus: button?.dataset.focus });
  }

  function follow(event) {
    const link = event.target.closest("a[href]");
    if (link?.matches("[data-here]")) {
      event.preventDefault();
      sendTally();
      once(link.href, { address: link.href, called: link.textContent.trim() });
    } else if (link && leavesBy(link, event)) {
      // A slow browser may give a page no time to send anything once the next one is there.
      sendTally(true);
    }
  }

  // A page stays if its link opens a window, a file, a place of its own, or what a word means.
  function leavesBy(link, event) {
    const opensWindow = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    return !opensWindow && !link.matches("[data-word], [download], [target], [href^='#']");
  }

  // What a word means lies over the page until it is closed; without a network, nothing is lost but that.
  async function explain(event) {
    const link = event.target.closest("a[data-word]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    const page = await ask({ address: link.href }).catch(() => null);
    const meanings = page?.querySelector(".meanings");
    if (!meanings) {
      tell(texts.look_again);
      return;
    }
    words.firstElementChild.replaceChildren(meanings);
    words.showModal();
  }

  function listen() {
    source?.close();
    resting = false;
    source = new EventSource(`${news}?have=${encodeURIComponent(have)}&as=${encodeURIComponent(as)}&in=${language}`);
    source.addEventListener("open", reached);
    source.addEventListener("table", show);
    source.addEventListener("beat", reached);
    source.addEventListener("again", loadAnew);
    source.addEventListener("enough", rest);
    source.addEventListener("error", () => {
      lost();
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(listen, AGAIN);
      }
    });
  }

  // Of too many pages of one phone, the newest are followed.
  function rest() {
    resting = true;
    source.close();
    reach.textContent = texts.many_pages;
  }

  // A phone that slept does not know that it has lost the table.
  function wake() {
    if (document.visibilityState === "hidden") {
      sendTally(true);
      keep();
      return;
    }
    stayAwake();
    if (!leaving && (source.readyState !== EventSource.OPEN || Date.now() - heard > AGAIN)) {
      listen();
    }
  }

  setInterval(() => {
    const now = Date.now();
    if (!resting && !leaving && now - heard > STALE && now - tried > STALE / 4) {
      tried = now;
      lost();
      listen();
    }
  }, AGAIN);
  // What is left of a turn, where the table wants that counted: quiet, and nothing happens at its end.
  function countDown() {
    const one = document.querySelector(".countdown[data-until]");
    if (one) {
      const left = Math.max(0, Math.ceil((Number(one.dataset.until) - Date.now()) / 1000));
      one.style.setProperty("--left", `${Math.min(100, (100 * left) / Number(one.dataset.of))}%`);
      one.textContent = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : texts.time_is_up;
    }
  }

  // The time of everybody's turns, and what is left of a time of their own; it never ends anything.
  function countTurns() {
    for (const one of document.querySelectorAll("[data-seconds]")) {
      const since = Number(one.dataset.since);
      const of = Number(one.dataset.of);
      const spent = Number(one.dataset.seconds) + (since ? Math.max(0, Math.floor((Date.now() - since) / 1000)) : 0);
      if (since || of) {
        const text = of ? (spent <= of ? texts.time_left : texts.time_over).replace("{time}", inMinutes(Math.abs(of - spent))) : inMinutes(spent);
        if (one.textContent !== text) {
          one.textContent = text;
        }
        one.classList.toggle("low", of > 0 && spent <= of && of - spent <= 60);
        one.classList.toggle("bad", of > 0 && spent > of);
      }
    }
  }

  function inMinutes(seconds) {
    const rest = String(seconds % 60).padStart(2, "0");
    const minutes = Math.floor(seconds / 60);
    return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
  }

  // Arrow keys move in the grid of cards: along a suit, and to the card at the same place of the next suit.
  function stepInGrid(event) {
    const cards = event.target.closest(".cards");
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!cards || !by || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    const suits = [...cards.querySelectorAll(".suit")].map((suit) => [...suit.children]);
    const cell = event.target.closest(".suit > *");
    const row = suits.findIndex((suit) => suit.includes(cell));
    let [down, along] = [row, suits[row].indexOf(cell)];
    const back = getComputedStyle(cards).direction === "rtl" ? -1 : 1;
    for (;;) {
      [down, along] = [down + by[0], along + by[1] * back];
      const next = suits[down]?.[along];
      if (!next) {
        return;
      }
      const control = next.matches("button") ? next : next.querySelector("input");
      if (control) {
        control.focus();
        return;
      }
    }
  }

  document.addEventListener("keydown", stepInGrid);
  setInterval(countDown, 1000);
  setInterval(countTurns, 1000);
  document.addEventListener("submit", send);
  document.addEventListener("change", (event) => event.target.form?.dataset.sum && sum(event.target.form));
  document.addEventListener("pointerdown", touch);
  document.addEventListener("pointerup", letGo);
  document.addEventListener("pointercancel", letGo);
  document.addEventListener("click", follow);
  if (words) {
    document.addEventListener("click", explain);
    words.addEventListener("click", ({ target }) => (target === words || target.matches("button")) && words.close());
  }
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pagehide", () => sendTally(true));
  window.addEventListener("pageshow", (event) => event.persisted && listen());
  // A page for a television has no buttons.
  if (sound) {
    sound.ariaPressed = String(localStorage.getItem("sound") === "on");
    sound.hidden = false;
    sound.addEventListener("click", wishSound);
  }
  navigator.serviceWorker?.register("/worker.js").catch(() => {});
  navigator.serviceWorker?.addEventListener("controllerchange", keepSoon);
  if (kept) {
    lost();
  } else {
    keepSoon();
  }
  if (moment) {
    drawMoments();
    moment.addEventListener("click", closeMoment);
    showTurn();
    fitHead();
    new ResizeObserver(fitHead).observe(head);
    window.addEventListener("resize", fitHead);
  }
  // A link to what is open leads to its first button, which may be folded; without any, to what is asked.
  function showOffers() {
    if (location.hash === "#offers") {
      const offers = document.getElementById("offers") ?? document.getElementById("asked");
      const folded = offers?.closest("details");
      if (folded) {
        folded.open = true;
      }
      (offers?.querySelector("button:not([hidden])") ?? offers)?.focus();
    }
  }

  window.addEventListener("hashchange", showOffers);
  showOffers();
  tellOutcome();
  feelTurn();
  stayAwake();
  listen();
}
