// Tells at once what becomes of a photograph: that it is too large, or that it is being read.
"use strict";
{
  const form = document.querySelector("form[data-limit]");
  const picture = form.querySelector("input[type=file]");
  const button = form.querySelector("button");
  const state = document.getElementById("state");
  const limit = Number(form.dataset.limit);
  const words = button.textContent;
  const texts = JSON.parse(form.dataset.texts);

  function check() {
    const [file] = picture.files;
    const isLarge = Boolean(file) && file.size > limit;
    button.disabled = isLarge;
    state.textContent = isLarge ? texts.too_large.replace("{size}", Math.ceil(file.size / 1048576)) : "";
  }

  picture.addEventListener("change", check);
  form.addEventListener("submit", (event) => {
    if (button.ariaBusy === "true") {
      event.preventDefault(); // a second tap changes nothing
      return;
    }
    button.ariaBusy = "true";
    button.textContent = texts.reading;
    state.textContent = texts.on_its_way;
  });
  // Who comes back to the form by the browser's arrow can send another one.
  addEventListener("pageshow", () => {
    button.ariaBusy = "false";
    button.textContent = words;
    check();
  });
}
