// The page of a label's design: parts are dragged, resized and moved by keys, and forms change the page in place.
"use strict";
{
  const MM = 72 / 25.4;
  const SNAP = MM;
  const LEAST = MM / 2;
  const START = 3;
  const HANDLE = 9;
  // Fingers need more room than the mouse, though no more is drawn.
  const GRIP = matchMedia("(any-pointer: coarse)").matches ? 44 : 28;
  const PAUSE = 250;
  const TAP_WAY = 15;
  const TAP_TIME = 350;
  const EDGES = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
  const SVG = "http://www.w3.org/2000/svg";

  const region = () => document.getElementById("designer");
  const drawing = () => region().querySelector(".die svg");
  const partBox = (part) => drawing().querySelector(`.part[data-part="${CSS.escape(part)}"]`);
  const isTyping = (one) => one.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]");

  const partBoxes = () => [...drawing().querySelectorAll(".part")];
  const isTicked = (part) => document.getElementById(`tick-${part}`)?.checked ?? false;
  let zoom = 0;

  // The boxes of the parts that move with one: all ticked ones, if it is ticked itself.
  function companions(box) {
    const others = partBoxes().filter((each) => each !== box && isTicked(each.dataset.part));
    return isTicked(box.dataset.part) ? others : [];
  }

  function say(text) {
    document.getElementById("said").textContent = text;
  }

  // Screen readers read out what changes in an element of this role, and not what it has from the start.
  function announce(element, text) {
    element.setAttribute("role", "status");
    element.textContent = "";
    setTimeout(() => { element.textContent = text; }, 50);
  }

  // A label that is looked at larger than it is needs a finer picture.
  const fineUrl = (url) => (zoom > 1 && !url.includes("&fine") ? `${url}&fine=1` : url);

  // Changes are made one after the other, each on the page that the one before has left.
  let queue = Promise.resolve();
  let isPressed = false;
  let pressedAt = [0, 0];
  let leaving = 0;
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
      image.src = fineUrl(picture);
      await image.decode().catch(() => {});
    }
    // What is under a finger stays there until the finger has gone.
    await released();
    const opened = [...region().querySelectorAll("details[open]")].map((one) => one.id);
    const state = document.getElementById("state").textContent;
    const scrolled = [document.getElementById("die").scrollLeft, document.getElementById("die").scrollTop];
    const ticked = new Set([...region().querySelectorAll("[name=tick]:checked")].map((one) => one.value));
    const before = region().dataset.part;
    const focus = document.activeElement?.id;
    region().replaceWith(fresh);
    if (fresh.dataset.part === before) {
      for (const box of fresh.querySelectorAll("[name=tick]")) {
        box.checked = ticked.has(box.value);
      }
    }
    opened.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    history.replaceState(null, "", url);
    prepare();
    [document.getElementById("die").scrollLeft, document.getElementById("die").scrollTop] = scrolled;
    const now = document.getElementById("state").textContent;
    if (now !== state) {
      announce(document.getElementById("state"), now);
    }
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

  function moveTogether(part, right, down) {
    const form = document.getElementById("parts");
    return send(form, null, { do: "move", part, right: right.toFixed(3), down: down.toFixed(3) });
  }

  const readFrame = (box) => ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
  const readArea = (box) => box.dataset.area.split(" ").map(Number);
  const readLines = (name) => drawing().dataset[name].split(" ").filter(Boolean).map(Number);

  function writeFrame(box, frame) {
    ["x", "y", "width", "height"].forEach((name, at) => box.setAttribute(name, frame[at]));
    turnBox(box);
    drawHandles();
  }

  // A box that is turned about its middle is shown so.
  function turnBox(box) {
    const [x, y, width, height] = readFrame(box);
    if (box.dataset.degrees) {
      box.setAttribute("transform", `rotate(${box.dataset.degrees} ${x + width / 2} ${y + height / 2})`);
    }
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

  function moveFrame(start, area, right, down, isFree, others = []) {
    let [left, top] = [start[0] + right, start[1] + down];
    const [, , width, height] = start;
    let [across, line] = [null, null];
    if (!isFree) {
      const moving = [start, ...others.map((each) => each.start)];
      const one = nearest(stopsOf(left, width), readLines("across"), moving.flatMap((each) => stopsOf(each[0], each[2])));
      const two = nearest(stopsOf(top, height), readLines("down"), moving.flatMap((each) => stopsOf(each[1], each[3])));
      [left, top, across, line] = [left + one.by, top + two.by, one.line, two.line];
    }
    drawGuides(across, line);
    const frame = [clamp(left, area[0], area[2] - width), clamp(top, area[1], area[3] - height), width, height];
    return [...withinAll(start, frame, others), width, height];
  }

  // Where a frame goes if all that move with it stay on the label.
  function withinAll(start, frame, others) {
    return [0, 1].map((axis) => {
      let by = frame[axis] - start[axis];
      for (const each of others) {
        const [most, least] = [each.area[axis + 2] - each.start[axis] - each.start[axis + 2], each.area[axis] - each.start[axis]];
        by = clamp(by, Math.min(0, least), Math.max(0, most));
      }
      return start[axis] + by;
    });
  }

  const readOthers = (box) => companions(box).map((each) => ({ box: each, start: readFrame(each), area: readArea(each) }));

  function moveOthers(others, start, frame) {
    for (const each of others) {
      const [left, top, width, height] = each.start;
      const moved = [left + frame[0] - start[0], top + frame[1] - start[1], width, height];
      ["x", "y", "width", "height"].forEach((name, at) => each.box.setAttribute(name, moved[at]));
      turnBox(each.box);
    }
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
    const [grip, mark] = [GRIP * scale, HANDLE * scale];
    drawTurnHandle(box, grip, mark);
    // The sides of a turned box do not lie across and down, so its size is changed in the form.
    if (box.dataset.degrees) {
      return;
    }
    // The larger areas to take hold of lie outside of a small part, so that it can still be moved.
    const [outX, outY] = [width, height].map((side) => clamp((2 * grip - side) / 2, 0, grip / 2));
    for (const [across, down] of EDGES) {
      if (!hasHandle(across, down, width < grip, height < grip)) {
        continue;
      }
      const [x0, y0] = [x + (width * (across + 1)) / 2, y + (height * (down + 1)) / 2];
      drawMark("handle", x0, y0, mark);
      drawMark("grip", x0 + across * outX, y0 + down * outY, grip).dataset.edges = `${across} ${down}`;
    }
  }

  // The handle that turns a part lies outside of its box: above, or below if there is no room above on the paper.
  function drawTurnHandle(box, grip, mark) {
    const [x, y, width, height] = readFrame(box);
    const [, least] = drawing().getAttribute("viewBox").split(" ").map(Number);
    const away = height / 2 + grip * 1.5;
    const isTurned = Boolean(box.dataset.degrees);
    const side = isTurned || y + height / 2 - away - grip / 2 >= least ? -1 : 1;
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    const stem = document.createElementNS(SVG, "line");
    const ends = { x1: middleX, y1: middleY + (side * height) / 2, x2: middleX, y2: middleY + side * away };
    Object.entries({ class: "handle stem", ...ends }).forEach(([name, value]) => stem.setAttribute(name, value));
    drawing().append(stem);
    const handle = drawMark("handle", middleX, middleY + side * away, mark * 1.4);
    handle.setAttribute("rx", mark);
    const area = drawMark("grip turn", middleX, middleY + side * away, grip);
    for (const one of [stem, handle, area]) {
      if (isTurned) {
        one.setAttribute("transform", box.getAttribute("transform"));
      }
    }
  }

  // The angle of the pointer about a point of the drawing, in degrees clockwise.
  function angleAt(event, middle) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing().getScreenCTM().inverse());
    return (Math.atan2(at.y - middle[1], at.x - middle[0]) * 180) / Math.PI;
  }

  function turnTo(event) {
    const box = drag.box;
    const [step, rotation] = [Number(box.dataset.step), Number(box.dataset.rotation)];
    const size = step === 90 || event.shiftKey ? step : 1;
    const by = angleAt(event, drag.turn.middle) - drag.turn.angle;
    const angle = Math.round((rotation + by) / size) * size;
    drag.turn.to = ((angle % 360) + 360) % 360;
    drag.turn.isMoved = true;
    drag.turn.degrees = drag.turn.degrees ?? Number(box.dataset.degrees ?? 0);
    box.dataset.degrees = String(drag.turn.degrees + angle - rotation);
    turnBox(box);
    drawHandles();
    document.getElementById("set-rotate").value = String(drag.turn.to);
    say(`${drag.turn.to}°`);
  }

  function endTurn(turn, part, rotation) {
    if (turn.isMoved && turn.to !== rotation) {
      send(document.getElementById("parts"), null, { do: "turn", part, rotate: String(turn.to) });
    } else {
      showAsBefore(turn);
    }
  }

  function showAsBefore(turn) {
    const box = drawing().querySelector(".selected");
    if (!turn.isMoved || !box) {
      return;
    }
    box.dataset.degrees = turn.degrees || "";
    if (!turn.degrees) {
      box.removeAttribute("transform");
    }
    turnBox(box);
    drawHandles();
    document.getElementById("set-rotate").value = box.dataset.rotation;
  }

  // A thin part has handles at its sides alone, and a small one at a single corner.
  function hasHandle(across, down, isNarrow, isLow) {
    if (isNarrow && isLow) {
      return across > 0 && down > 0;
    }
    return !(isNarrow || isLow) || !across || !down;
  }

  function drawMark(kind, x, y, size) {
    const mark = document.createElementNS(SVG, "rect");
    Object.entries({ class: kind, x: x - size / 2, y: y - size / 2, width: size, height: size }).forEach(([name, value]) => mark.setAttribute(name, value));
    drawing().append(mark);
    return mark;
  }

  let drag = null;
  // What a finger or the mouse takes hold of beside a part: a column of the table, or the paper, which scrolls.
  let column = null;
  let scroll = null;

  function press(event) {
    const mark = event.target.closest?.(".die .part, .die .grip");
    const button = event.target.closest?.("#columns .column");
    if (drag) {
      // A second finger zooms.
      abandon();
      return;
    }
    if (event.button || !event.isPrimary) {
      return;
    }
    if (button) {
      column = { button, x: event.clientX, y: event.clientY, ghost: null };
    } else if (!mark && event.target.closest?.(".die svg")) {
      scroll = { x: event.clientX, y: event.clientY, isTouch: event.pointerType === "touch" };
    }
    if (!mark) {
      return;
    }
    event.preventDefault();
    const box = mark.matches(".part") ? mark : drawing().querySelector(".selected");
    const edges = mark.dataset.edges?.split(" ").map(Number);
    const scale = 1 / drawing().getScreenCTM().a;
    const pointer = event.pointerId;
    const [left, top, width, height] = readFrame(box);
    const middle = [left + width / 2, top + height / 2];
    const turn = mark.matches(".turn") ? { middle, angle: angleAt(event, middle), isMoved: false } : null;
    drag = { box, turn, edges, scale, pointer, x: event.clientX, y: event.clientY, start: readFrame(box), frame: null, shift: event.shiftKey, others: edges || turn ? [] : readOthers(box) };
    document.getElementById("die").focus({ preventScroll: true });
  }

  function move(event) {
    moveColumn(event);
    scrollPaper(event);
    if (!drag || event.pointerId !== drag.pointer) {
      return;
    }
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.frame && !drag.turn?.isMoved && Math.hypot(right, down) < START) {
      return;
    }
    if (drag.turn) {
      turnTo(event);
      return;
    }
    const by = [right * drag.scale, down * drag.scale];
    const area = readArea(drag.box);
    drag.frame = drag.edges
      ? resizeFrame(drag.start, area, drag.edges, ...by, event.altKey)
      : moveFrame(drag.start, area, ...by, event.altKey, drag.others);
    moveOthers(drag.others, drag.start, drag.frame);
    writeFrame(drag.box, drag.frame);
  }

  function scrollPaper(event) {
    if (!scroll) {
      return;
    }
    const [right, down] = [event.clientX - scroll.x, event.clientY - scroll.y];
    [scroll.x, scroll.y] = [event.clientX, event.clientY];
    document.getElementById("die").scrollBy(-right, -down);
    if (scroll.isTouch && !zoom) {
      scrollBy(0, -down);
    }
  }

  // Where a column would go: into a part, into the text of the form, or onto the label.
  function findTarget(event) {
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const part = under.find((one) => one.matches?.(".die .part[data-drop]"));
    const field = under.find((one) => one.matches?.("textarea#set-source"));
    return part ?? field ?? under.find((one) => one.matches?.(".die svg")) ?? null;
  }

  // What a column does there: it joins a text, or becomes a new one.
  function describeTarget(target) {
    const box = target.matches("textarea") ? drawing().querySelector(".selected") : target;
    return box.dataset.drop ?? region().dataset.new;
  }

  function moveColumn(event) {
    if (!column || (!column.ghost && Math.hypot(event.clientX - column.x, event.clientY - column.y) < START)) {
      return;
    }
    if (!column.ghost) {
      column.ghost = document.createElement("div");
      column.ghost.className = "ghost";
      const name = document.createElement("bdi");
      name.textContent = column.button.value;
      column.ghost.append(name, document.createElement("small"));
      document.body.append(column.ghost);
    }
    column.ghost.style.left = `${event.clientX + 8}px`;
    column.ghost.style.top = `${event.clientY + 8}px`;
    document.querySelectorAll(".target").forEach((one) => one.classList.remove("target"));
    const target = findTarget(event);
    target?.classList.add("target");
    column.ghost.querySelector("small").textContent = target ? describeTarget(target) : "";
  }

  let skipsClick = false;

  function dropColumn(event) {
    const dropped = column;
    column = null;
    document.querySelectorAll(".target").forEach((one) => one.classList.remove("target"));
    if (!dropped?.ghost) {
      return;
    }
    dropped.ghost.remove();
    skipsClick = true;
    setTimeout(() => { skipsClick = false; }, 0);
    const target = event.type === "pointerup" ? findTarget(event) : null;
    const form = document.getElementById("columns");
    if (!target || !form) {
      return;
    }
    if (target.matches("textarea")) {
      cursor = cursor?.[2] === region().dataset.part ? cursor : [target.value.length, target.value.length, region().dataset.part];
      insertAtCursor(dropped.button.value);
    } else if (target.matches(".part")) {
      send(form, null, { do: "insert", column: dropped.button.value, part: target.dataset.part });
    } else {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing().getScreenCTM().inverse());
      send(form, null, { do: "insert-text", column: dropped.button.value, left: at.x.toFixed(3), top: at.y.toFixed(3) });
    }
  }

  document.addEventListener("click", (event) => {
    if (skipsClick) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);

  function release() {
    const ended = drag;
    drag = null;
    if (!ended) {
      return;
    }
    drawGuides(null, null);
    const below = (ended.edges || ended.turn) && !ended.frame && !ended.turn?.isMoved && partAt(ended.x, ended.y);
    const part = (below || ended.box).dataset.part;
    if (below && !below.matches(".selected")) {
      // A click on a handle means the part that lies under it.
      go(document.getElementById(`part-${part}`).getAttribute("href"));
    } else if (ended.turn) {
      endTurn(ended.turn, part, Number(ended.box.dataset.rotation));
    } else if (ended.frame) {
      if (ended.frame.some((length, at) => Math.abs(length - ended.start[at]) > 0.005)) {
        if (ended.others.length) {
          moveTogether(part, ended.frame[0] - ended.start[0], ended.frame[1] - ended.start[1]);
        } else {
          place(part, ended.frame);
        }
      }
    } else if (ended.shift) {
      const tick = document.getElementById(`tick-${part}`);
      tick.checked = !tick.checked;
      showTicks();
    } else if (!ended.box.matches(".selected")) {
      go(document.getElementById(`part-${part}`).getAttribute("href"));
    }
  }

  function partAt(x, y) {
    return document.elementsFromPoint(x, y).find((one) => one.matches(".die .part"));
  }

  function abandon() {
    if (drag?.frame) {
      moveOthers(drag.others, drag.start, drag.start);
      writeFrame(drag.box, drag.start);
    }
    if (drag?.turn) {
      showAsBefore(drag.turn);
    }
    drag = null;
    column?.ghost?.remove();
    column = null;
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
    nudge = nudge ?? { part: box.dataset.part, start: [left, top, width, height], others: readOthers(box) };
    const [newLeft, newTop] = withinAll(nudge.start, [x, y], nudge.others);
    say(Math.abs(newLeft - left) + Math.abs(newTop - top) < 0.005 ? region().dataset.edge : "");
    moveOthers(nudge.others, nudge.start, [newLeft, newTop]);
    writeFrame(box, [newLeft, newTop, width, height]);
    clearTimeout(nudge.timer);
    nudge.timer = setTimeout(endNudge, PAUSE);
    return true;
  }

  function endNudge() {
    if (!nudge) {
      return;
    }
    const { part, start, timer, others } = nudge;
    nudge = null;
    clearTimeout(timer);
    const frame = readFrame(partBox(part));
    if (Math.abs(frame[0] - start[0]) + Math.abs(frame[1] - start[1]) <= 0.005) {
      return;
    }
    if (others.length) {
      moveTogether(part, frame[0] - start[0], frame[1] - start[1]);
    } else {
      place(part, frame);
    }
  }

  document.addEventListener("keydown", (event) => {
    const isInside = Boolean(event.target.closest?.("#die, .parts"));
    if (event.key === "Escape" && (drag || column)) {
      abandon();
    } else if (isInside && (event.key === "Delete" || event.key === "Backspace")) {
      event.preventDefault();
      pressButton("remove");
    } else if (isInside && (event.ctrlKey || event.metaKey) && ["d", "a"].includes(event.key.toLowerCase())) {
      event.preventDefault();
      if (event.key.toLowerCase() === "d") {
        pressButton("copy");
      } else {
        region().querySelectorAll("[name=tick]").forEach((box) => { box.checked = true; });
        showTicks();
      }
    } else if ((event.ctrlKey || event.metaKey) && !event.altKey && !isTyping(event.target)) {
      const key = event.key.toLowerCase();
      const name = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : "";
      if (name) {
        event.preventDefault();
        pressButton(name);
      }
    } else if (!event.altKey && !event.ctrlKey && !event.metaKey && moveByKey(event)) {
      event.preventDefault();
    }
  });

  // Presses a button of the page once everything before it is done.
  function pressButton(name) {
    endNudge();
    enqueue(() => {}).then(() => document.getElementById(name)?.click());
  }

  document.addEventListener("pointerdown", (event) => {
    isPressed = true;
    clearTimeout(leaving);
    pressedAt = [event.clientX, event.clientY];
    press(event);
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointercancel", abandon);
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, (event) => {
      scroll = null;
      dropColumn(event);
      release();
      // A click comes after this; from a finger that stayed, once the browser knows that it was a tap.
      const way = Math.hypot(event.clientX - pressedAt[0], event.clientY - pressedAt[1]);
      const isTap = kind === "pointerup" && event.pointerType !== "mouse" && way < TAP_WAY;
      leaveIn(isTap ? TAP_TIME : 0);
    });
  }
  document.addEventListener("click", () => {
    if (leaving) {
      leaveIn(0);
    }
  });

  function leaveIn(time) {
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      leaving = 0;
      isPressed = false;
      whenReleased();
    }, time);
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

  // Words that are selected in the text become bold or italic, or are so no more.
  document.addEventListener("click", (event) => {
    const mark = event.target.closest?.("#designer [data-mark]")?.dataset.mark;
    if (!mark) {
      return;
    }
    const field = document.getElementById("set-source");
    const [from, to] = [field.selectionStart, field.selectionEnd];
    const words = field.value.slice(from, to);
    if (!words.trim()) {
      say(region().dataset.unmarked);
      return;
    }
    const isMarked = words.startsWith(mark) && words.endsWith(mark) && words.length > 2 * mark.length;
    field.setRangeText(isMarked ? words.slice(mark.length, -mark.length) : `${mark}${words}${mark}`, from, to, "select");
    document.getElementById("set-markup").checked = true;
    send(field.form, document.getElementById("set"));
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
    } else if (event.target.matches("[name=tick]")) {
      showTicks();
    } else if (event.target.id === "zoom") {
      zoom = Number(event.target.value);
      showZoom();
    }
  });

  function showTicks() {
    const ticked = partBoxes().filter((box) => isTicked(box.dataset.part));
    partBoxes().forEach((box) => box.classList.toggle("ticked", ticked.length > 1 && ticked.includes(box)));
  }

  function showZoom() {
    const [svg, image] = [drawing(), drawing().querySelector("image")];
    document.getElementById("zoom").value = String(zoom);
    document.getElementById("die").classList.toggle("zoomed", zoom > 0);
    if (zoom) {
      // A point of the drawing is a point of the screen.
      svg.setAttribute("width", `${svg.viewBox.baseVal.width * zoom}pt`);
    } else {
      svg.removeAttribute("width");
    }
    image?.setAttribute("href", fineUrl(image.getAttribute("href")));
    drawHandles();
  }

  function prepare() {
    document.getElementById("die").tabIndex = 0;
    partBoxes().forEach(turnBox);
    showTicks();
    showZoom();
  }

  addEventListener("resize", () => drawHandles());
  prepare();
}
