// The page of a label's design: parts are dragged, resized and moved by keys, and forms change the page in place.
"use strict";
{
  const MM = 72 / 25.4;
  const SNAP = MM;
  const LEAST = MM / 2;
  const START = 3;
  const HANDLE = 9;
  const GRIP = 28;
  const PAUSE = 250;
  const EDGES = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
  const SVG = "http://www.w3.org/2000/svg";

  const region = () => document.getElementById("designer");
  const drawing = () => region().querySelector(".die svg");
  const partBox = (part) => drawing().querySelector(`.part[data-part="${CSS.escape(part)}"]`);
  const isTyping = (one) => one.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]");

  // Changes are made one after the other, each on the page that the one before has left.
  let queue = Promise.resolve();
  let isPressed = false;
  let whenReleased = () => {};

  const enqueue = (job) => {
    queue = queue.then(job).catch(() => location.reload());
    return queue;
  };

  function released() {
    return isPressed ? new Promise((done) => { whenReleased = done; }) : Promise.resolve();
  }

  async function show(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("designer");
    const url = new URL(answer.headers.get("content-location") ?? answer.url, location.href);
    if (!fresh || url.pathname !== location.pathname) {
      location.assign(url);
      return;
    }
    const picture = fresh.querySelector("image")?.getAttribute("href");
    if (picture) {
      const image = new Image();
      image.src = picture;
      await image.decode().catch(() => {});
    }
    // What is under a finger stays there until the finger has gone.
    await released();
    const ticked = new Set([...region().querySelectorAll("[name=tick]:checked")].map((one) => one.value));
    const before = region().dataset.part;
    const focus = document.activeElement?.id;
    region().replaceWith(fresh);
    if (fresh.dataset.part === before) {
      for (const box of fresh.querySelectorAll("[name=tick]")) {
        box.checked = ticked.has(box.value);
      }
    }
    history.replaceState(null, "", url);
    prepare();
    const target = focus && document.getElementById(focus);
    (target?.disabled ? document.getElementById("die") : target)?.focus({ preventScroll: true });
  }

  function send(form, button, extra = {}) {
    const fields = new URLSearchParams(new FormData(form, button));
    for (const [name, value] of Object.entries(extra)) {
      fields.set(name, value);
    }
    fields.set("live", "1");
    const action = form.action;
    const at = performance.now();
    return enqueue(async () => {
      await show(await fetch(action, { method: "POST", body: fields }));
      region().dataset.took = Math.round(performance.now() - at);
    });
  }

  const go = (url) => enqueue(async () => show(await fetch(url)));

  function place(part, frame) {
    const form = document.getElementById("parts");
    const [left, top, width, height] = frame.map((length) => length.toFixed(3));
    const extra = { do: "place", part, left, top, width, height };
    return send(form, null, extra);
  }

  const readFrame = (box) => ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
  const readArea = (box) => box.dataset.area.split(" ").map(Number);
  const readLines = (name) => drawing().dataset[name].split(" ").filter(Boolean).map(Number);

  function writeFrame(box, frame) {
    ["x", "y", "width", "height"].forEach((name, at) => box.setAttribute(name, frame[at]));
    drawHandles();
  }

  const clamp = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most));
  const stopsOf = (start, length) => [start, start + length / 2, start + length];

  // The nearest line to one of the stops: by how much to move, and where it is.
  function nearest(stops, lines, own) {
    let best = { by: 0, line: null, apart: SNAP };
    for (const stop of stops) {
      for (const line of lines) {
        if (!own.some((each) => Math.abs(each - line) < 0.01) && Math.abs(line - stop) <= best.apart) {
          best = { by: line - stop, line, apart: Math.abs(line - stop) };
        }
      }
    }
    return best;
  }

  function drawGuides(across, down) {
    const svg = drawing();
    svg.querySelectorAll(".guide").forEach((line) => line.remove());
    const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const draw = (x1, y1, x2, y2) => {
      const line = document.createElementNS(SVG, "line");
      Object.entries({ class: "guide", x1, y1, x2, y2 }).forEach(([name, value]) => line.setAttribute(name, value));
      svg.append(line);
    };
    if (across !== null) {
      draw(across, y, across, y + height);
    }
    if (down !== null) {
      draw(x, down, x + width, down);
    }
  }

  function moveFrame(start, area, right, down, isFree) {
    let [left, top] = [start[0] + right, start[1] + down];
    const [, , width, height] = start;
    let [across, line] = [null, null];
    if (!isFree) {
      const one = nearest(stopsOf(left, width), readLines("across"), stopsOf(start[0], width));
      const two = nearest(stopsOf(top, height), readLines("down"), stopsOf(start[1], height));
      [left, top, across, line] = [left + one.by, top + two.by, one.line, two.line];
    }
    drawGuides(across, line);
    return [clamp(left, area[0], area[2] - width), clamp(top, area[1], area[3] - height), width, height];
  }

  function resizeFrame(start, area, edges, right, down, isFree) {
    const ends = [start[0], start[1], start[0] + start[2], start[1] + start[3]];
    const found = [null, null];
    [[0, edges[0], right, "across"], [1, edges[1], down, "down"]].forEach(([axis, edge, by, name]) => {
      if (!edge) {
        return;
      }
      const end = edge < 0 ? axis : axis + 2;
      const own = stopsOf(start[axis], start[axis + 2]);
      let at = ends[end] + by;
      if (!isFree) {
        const near = nearest([at], readLines(name), own);
        at += near.by;
        found[axis] = near.line;
      }
      ends[end] = edge < 0 ? clamp(at, area[axis], ends[axis + 2] - LEAST) : clamp(at, ends[axis] + LEAST, area[axis + 2]);
    });
    drawGuides(...found);
    return [ends[0], ends[1], ends[2] - ends[0], ends[3] - ends[1]];
  }

  function drawHandles() {
    const svg = drawing();
    svg.querySelectorAll(".handle, .grip").forEach((one) => one.remove());
    const box = svg.querySelector(".selected");
    if (!box) {
      return;
    }
    const [x, y, width, height] = readFrame(box);
    const matrix = svg.getScreenCTM();
    const scale = matrix && matrix.a ? 1 / matrix.a : 1;
    // Small parts have handles at their corners alone, so that something is left to take hold of.
    const isSmall = Math.min(width, height) < 3 * HANDLE * scale;
    for (const [across, down] of EDGES) {
      if (isSmall && (!across || !down) && !(height < 3 * HANDLE * scale && across) && !(width < 3 * HANDLE * scale && down)) {
        continue;
      }
      if (isSmall && across && down && (across < 0 || down < 0)) {
        continue;
      }
      for (const [kind, size] of [["handle", HANDLE * scale], ["grip", (isSmall ? HANDLE : GRIP / 2) * scale]]) {
        const mark = document.createElementNS(SVG, "rect");
        mark.setAttribute("class", kind);
        mark.setAttribute("x", x + (width * (across + 1)) / 2 - size / 2);
        mark.setAttribute("y", y + (height * (down + 1)) / 2 - size / 2);
        mark.setAttribute("width", size);
        mark.setAttribute("height", size);
        mark.dataset.edges = `${across} ${down}`;
        svg.append(mark);
      }
    }
  }

  let drag = null;

  function press(event) {
    const mark = event.target.closest?.(".die .part, .die .grip, .die .handle");
    if (!mark || event.button) {
      return;
    }
    event.preventDefault();
    const box = mark.matches(".part") ? mark : drawing().querySelector(".selected");
    const edges = mark.dataset.edges?.split(" ").map(Number);
    const scale = 1 / drawing().getScreenCTM().a;
    drag = { box, edges, scale, x: event.clientX, y: event.clientY, start: readFrame(box), frame: null, shift: event.shiftKey };
    document.getElementById("die").focus({ preventScroll: true });
  }

  function move(event) {
    if (!drag) {
      return;
    }
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.frame && Math.hypot(right, down) < START) {
      return;
    }
    const by = [right * drag.scale, down * drag.scale];
    const area = readArea(drag.box);
    drag.frame = drag.edges
      ? resizeFrame(drag.start, area, drag.edges, ...by, event.altKey)
      : moveFrame(drag.start, area, ...by, event.altKey);
    writeFrame(drag.box, drag.frame);
  }

  function release() {
    const ended = drag;
    drag = null;
    if (!ended) {
      return;
    }
    drawGuides(null, null);
    const part = ended.box.dataset.part;
    if (ended.frame) {
      if (ended.frame.some((length, at) => Math.abs(length - ended.start[at]) > 0.005)) {
        place(part, ended.frame);
      }
    } else if (ended.shift) {
      const tick = document.getElementById(`tick-${part}`);
      tick.checked = !tick.checked;
    } else if (!ended.box.matches(".selected")) {
      go(document.getElementById(`part-${part}`).getAttribute("href"));
    }
  }

  function abandon() {
    if (drag?.frame) {
      writeFrame(drag.box, drag.start);
    }
    drag = null;
    drawGuides(null, null);
  }

  // Arrow keys in a row are one change.
  let nudge = null;

  function moveByKey(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    const box = drawing().querySelector(".selected");
    if (!way || !box || !event.target.closest?.("#die, .parts")) {
      return false;
    }
    const step = (event.shiftKey ? 1 : 0.1) * MM;
    const [left, top, width, height] = readFrame(box);
    const area = readArea(box);
    const x = clamp(left + way[0] * step, Math.min(area[0], left), Math.max(area[2] - width, left));
    const y = clamp(top + way[1] * step, Math.min(area[1], top), Math.max(area[3] - height, top));
    nudge = nudge ?? { part: box.dataset.part, start: [left, top] };
    writeFrame(box, [x, y, width, height]);
    clearTimeout(nudge.timer);
    nudge.timer = setTimeout(endNudge, PAUSE);
    return true;
  }

  function endNudge() {
    if (!nudge) {
      return;
    }
    const { part, start, timer } = nudge;
    nudge = null;
    clearTimeout(timer);
    const frame = readFrame(partBox(part));
    if (Math.abs(frame[0] - start[0]) + Math.abs(frame[1] - start[1]) > 0.005) {
      place(part, frame);
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drag) {
      abandon();
    } else if ((event.ctrlKey || event.metaKey) && !event.altKey && !isTyping(event.target)) {
      const key = event.key.toLowerCase();
      const name = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : "";
      if (name) {
        event.preventDefault();
        endNudge();
        enqueue(() => {}).then(() => document.getElementById(name)?.click());
      }
    } else if (!event.altKey && !event.ctrlKey && !event.metaKey && moveByKey(event)) {
      event.preventDefault();
    }
  });

  document.addEventListener("pointerdown", (event) => { isPressed = true; press(event); });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointercancel", abandon);
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, () => {
      isPressed = false;
      release();
      // A click comes after this.
      setTimeout(() => whenReleased(), 0);
    });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#designer [data-select], #designer [data-go]");
    if (!link || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    endNudge();
    go(link.getAttribute("href"));
  });

  document.addEventListener("submit", (event) => {
    if (event.target.matches("#designer form[data-at-once]")) {
      event.preventDefault();
      endNudge();
      if (event.submitter?.name === "column" && insertAtCursor(event.submitter.value)) {
        return;
      }
      send(event.target, event.submitter);
    }
  });

  // A column goes to where the cursor was in the text.
  let cursor = null;

  document.addEventListener("focusout", (event) => {
    if (event.target.id === "set-source" && event.target.matches("textarea")) {
      cursor = [event.target.selectionStart, event.target.selectionEnd, region().dataset.part];
    }
  });

  function insertAtCursor(column) {
    const field = document.getElementById("set-source");
    if (!field?.matches("textarea") || !cursor || cursor[2] !== region().dataset.part) {
      return false;
    }
    field.setRangeText(`{${column}}`, cursor[0], cursor[1], "end");
    cursor = [field.selectionEnd, field.selectionEnd, cursor[2]];
    send(field.form, document.getElementById("set"));
    return true;
  }

  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("#designer form[data-change]");
    if (form) {
      send(form, form.querySelector("button[name=do]"));
    }
  });

  function prepare() {
    document.getElementById("die").tabIndex = 0;
    drawHandles();
  }

  addEventListener("resize", () => drawHandles());
  prepare();
}
