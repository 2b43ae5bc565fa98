/**
 * The script of a page that follows what happens: it asks for the page again, and puts in the parts with `data-live` that are new. What is
 * typed or unfolded stays. Without it a page works too, and shows what is new when it is loaded again.
 */
export const FOLLOW_JS = `
"use strict";
const main = document.querySelector("main[data-follow]");
const listLive = (root) => [...root.querySelectorAll("[data-live]")];
const shown = new Map(listLive(document).map((part) => [part.id, part.outerHTML]));

function addCopyButtons(root) {
  for (const block of root.querySelectorAll(".markdown-body pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.onclick = async () => {
      await navigator.clipboard.writeText(block.textContent.trimEnd());
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    };
    const frame = document.createElement("div");
    frame.className = "copyable";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

function keepState(before, after) {
  const summaries = (part) => [...part.querySelectorAll("details")].map((one) => [one.querySelector("summary").textContent, one]);
  const open = new Set(summaries(before).filter(([, one]) => one.open).map(([text]) => text));
  for (const [text, one] of summaries(after)) if (open.has(text)) one.open = true;
  for (const box of before.querySelectorAll("textarea")) {
    const same = document.getElementById(box.id);
    if (same && box.value !== box.defaultValue) same.value = box.value;
  }
}

function show(fresh) {
  const parts = listLive(fresh);
  let last = null;
  for (const part of parts) {
    const html = part.outerHTML;
    const before = document.getElementById(part.id);
    if (shown.get(part.id) !== html) {
      shown.set(part.id, html);
      const container = document.getElementById(part.parentElement.id);
      const after = document.importNode(part, true);
      if (before) before.replaceWith(after);
      else if (last?.parentElement === container) last.after(after);
      else container.prepend(after);
      if (before) keepState(before, after);
      addCopyButtons(after);
      after.classList.add("changed");
    }
    last = document.getElementById(part.id);
  }
  const ids = new Set(parts.map(({ id }) => id));
  for (const part of listLive(document)) if (!ids.has(part.id)) part.remove();
  document.title = fresh.title;
}

let version = main?.dataset.version;
async function follow() {
  try {
    if (!document.hidden) {
      const answer = await fetch(main.dataset.follow, { cache: "no-store", headers: { "if-none-match": version } });
      if (answer.status === 200) {
        version = answer.headers.get("etag");
        show(new DOMParser().parseFromString(await answer.text(), "text/html"));
      }
    }
  } catch {} // the demo has ended, or is busy
  setTimeout(follow, 500);
}

for (const box of document.querySelectorAll("textarea[data-draft]")) {
  const key = "draft:" + location.pathname;
  if (box.value === "") box.value = sessionStorage.getItem(key) ?? "";
  box.oninput = () => sessionStorage.setItem(key, box.value);
  box.form.onsubmit = () => sessionStorage.removeItem(key);
}
addCopyButtons(document);
if (main) void follow();
`;
