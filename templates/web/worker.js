// Opens the table's page where the host cannot be reached: as it was seen last, which its script says since when.
"use strict";
{
  const PAGES = "pages";
  const FILES = "files";
  const isTable = (url) => /^\/t\/\w+$/.test(url.pathname);

  // The page of the table that was looked at last; it comes from there itself, with what it has heard since.
  async function keptPage(url) {
    const pages = await caches.open(PAGES);
    const [newest] = await pages.keys();
    return newest && (url.pathname === "/" || new URL(newest.url).pathname === url.pathname) ? pages.match(newest) : undefined;
  }

  async function open(event, url) {
    try {
      const answer = await fetch(event.request);
      // That is where whoever is asked for the PIN, waits, or was sent away is led: no table is kept for them.
      if (url.pathname === "/pin") {
        await caches.delete(PAGES);
      }
      return answer;
    } catch (unreachable) {
      const kept = await keptPage(url);
      if (!kept) {
        throw unreachable;
      }
      return kept;
    }
  }

  // Files have a hash of their content in their address: another version of one takes its place.
  async function fetchFile(request) {
    const files = await caches.open(FILES);
    const kept = await files.match(request);
    if (kept) {
      return kept;
    }
    const answer = await fetch(request);
    if (answer.ok) {
      await files.delete(request, { ignoreSearch: true });
      await files.put(request, answer.clone());
    }
    return answer;
  }

  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== "GET" || url.origin !== self.location.origin) {
      return;
    }
    if (event.request.mode === "navigate" && (isTable(url) || url.pathname === "/" || url.pathname === "/pin")) {
      event.respondWith(open(event, url));
    } else if (/^\/[\w.]+$/.test(url.pathname) && /^\?[0-9a-f]{12}$/.test(url.search)) {
      event.respondWith(fetchFile(event.request));
    }
  });
}
