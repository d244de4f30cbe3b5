/* Where the page is (its hash), its theme, its keys, and how it prints. */

const TITLE = document.title;

function overview(anchor) {
  const back = !byId("claim").hidden;
  byId("claim").hidden = true;
  byId("overview").hidden = false;
  document.title = TITLE;
  if (back && (!anchor || anchor === "matrix")) {
    window.scrollTo(0, scrolled);
    if (opener && opener.isConnected && !opener.parentElement.hidden) opener.focus({ preventScroll: true });
  } else if (anchor) {
    byId(anchor)?.scrollIntoView();
  }
}

function route() {
  const hash = decodeURIComponent(location.hash.slice(1));
  if (!hash.startsWith("claim=")) return overview(hash);
  const [claim, problem] = hash.slice(6).split("&on=");
  if (byId("claim").hidden) opener = document.activeElement?.closest?.("#grid td, #grid th") || null;
  return openClaim(claim, problem || "", "");
}

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function remembered(theme) {
  try {
    if (theme) localStorage.setItem("boundcheck-theme", theme);
    return localStorage.getItem("boundcheck-theme");
  } catch {
    return theme;
  }
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  byId("theme").textContent = isDark() ? "Light" : "Dark";
}

function keyed(event) {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (!byId("claim").hidden) location.hash = "#matrix";
    overview("matrix");
    byId("search").focus();
  } else if (event.key === "Escape" && !byId("claim").hidden) {
    location.hash = "#matrix";
  } else if (event.key === "ArrowDown" && event.target === byId("search")) {
    const first = rowsOf.find((row) => !row.hidden);
    event.preventDefault();
    if (first) focusOn(first.cells[0]);
  }
}

const opened = [];

buildGrid();
filter();
setTheme(remembered(""));
listenToNumbers();
byId("filters").addEventListener("input", filter);
byId("filters").addEventListener("reset", () => setTimeout(filter));
byId("filters").addEventListener("submit", (event) => {
  event.preventDefault();
  const first = rowsOf.find((row) => !row.hidden);
  if (first) openAt(first.cells[0]);
});
byId("theme").addEventListener("click", () => setTheme(remembered(isDark() ? "light" : "dark") || (isDark() ? "light" : "dark")));
for (const count of document.querySelectorAll(".count")) {
  count.addEventListener("click", () => {
    byId("status").value = count.dataset.status;
    filter();
  });
}
byId("claim").addEventListener("click", pressed);
document.addEventListener("keydown", keyed);
window.addEventListener("hashchange", route);
window.addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details:not([open])")) {
    one.open = true;
    opened.push(one);
  }
});
window.addEventListener("afterprint", () => {
  for (const one of opened.splice(0)) one.open = false;
});
route();
