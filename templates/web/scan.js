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
  // The camera of this machine, where the browser gives one: to pages of the machine itself, and over HTTPS.
  const camera = document.getElementById("camera");
  const video = camera.querySelector("video");
  const [start, take] = camera.querySelectorAll("button");
  camera.hidden = !navigator.mediaDevices?.getUserMedia;

  function stop() {
    video.srcObject?.getTracks().forEach((track) => track.stop());
    video.srcObject = null;
    video.hidden = take.hidden = true;
    start.hidden = false;
  }

  start.addEventListener("click", async () => {
    try {
      const wanted = { facingMode: "environment", width: { ideal: 2560 }, height: { ideal: 1440 } };
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: wanted });
      video.hidden = false;
      start.hidden = true;
      await video.play();
      take.hidden = false;
      take.focus();
    } catch {
      stop();
      state.textContent = texts.no_camera;
    }
  });
  take.addEventListener("click", () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    canvas.getContext("2d").drawImage(video, 0, 0);
    stop();
    canvas.toBlob(
      (photograph) => {
        const files = new DataTransfer();
        files.items.add(new File([photograph], "camera.jpg", { type: "image/jpeg" }));
        picture.files = files.files;
        check();
        form.requestSubmit();
      },
      "image/jpeg",
      0.92
    );
  });
  addEventListener("pagehide", stop);

  // Who comes back to the form by the browser's arrow can send another one.
  addEventListener("pageshow", () => {
    button.ariaBusy = "false";
    button.textContent = words;
    check();
  });
}
