/* Claims against problems: the grid, its filters, and moving in it by keys. */

const DATA = JSON.parse(document.getElementById("data").textContent);
const BY_ID = new Map(DATA.claims.map((claim, n) => [claim.id, n]));
const STATUS = { holds: "●", refuted: "✕", undecided: "?", untested: "–" };
const byId = (id) => document.getElementById(id);
const rowsOf = [];
const groupsOf = [];
const only = document.head.appendChild(el("style", {}));

function cellOf(code) {
  const [sign, name] = DATA.codes[code];
  return filled(el("td", { class: `v-${code === "." ? "none" : code}`, tabindex: -1 }, sign), { "aria-label": name }, []);
}

function headerOf(claim) {
  return el(
    "th", { scope: "row", tabindex: -1, title: `${claim.label} (${claim.reading}): ${claim.title}` },
    el("span", { class: `symbol ${claim.status}`, "aria-hidden": "true" }, STATUS[claim.status]),
    el("a", { href: `#claim=${claim.id}`, tabindex: -1 }, claim.label),
    claim.kind === "printed" ? null : el("span", { class: "reading" }, claim.reading),
    claim.surprise ? el("span", { class: "surprising", title: "not what was expected" }, "!") : null,
    el("span", { class: "title" }, claim.title),
    el("span", { class: "visually-hidden" }, `, ${claim.status}`),
  );
}

function buildGrid() {
  const cells = Object.fromEntries(Object.keys(DATA.codes).map((code) => [code, cellOf(code)]));
  const head = el("tr", {}, el("th", { scope: "col", class: "corner" }, "claim"), ...DATA.problems.map((name) => el("th", { scope: "col" }, el("span", {}, name))));
  const body = el("tbody", {});
  const papers = new Set(DATA.claims.map((claim) => claim.paper)).size;
  let group = "";
  DATA.claims.forEach((claim, n) => {
    const where = [papers > 1 ? claim.paper : "", claim.where].filter(Boolean).join(", ") || claim.paper;
    if (where !== group) {
      group = where;
      groupsOf.push({ row: body.appendChild(el("tr", { class: "group" }, el("th", { colspan: DATA.problems.length + 1, scope: "colgroup" }, el("span", {}, where)))), members: [] });
    }
    const row = el("tr", { "data-n": n }, headerOf(claim), ...[...claim.cells].map((code) => cells[code].cloneNode(true)));
    rowsOf.push(body.appendChild(row));
    groupsOf[groupsOf.length - 1].members.push(row);
  });
  const table = el("table", { role: "grid", "aria-label": "Verdicts: claims against problems" }, el("thead", {}, head), body);
  table.style.setProperty("--problems", DATA.problems.length);
  byId("grid").append(table);
  const first = rowsOf[0];
  if (first) first.cells[0].tabIndex = 0;
  table.addEventListener("keydown", moved);
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("tbody td, tbody th");
    if (cell && !event.target.closest("a") && cell.parentElement.dataset.n) openAt(cell);
  });
  table.addEventListener("pointerover", pointed);
  table.addEventListener("focusin", pointed);
}

function pointed(event) {
  const cell = event.target.closest("td");
  for (const old of byId("grid").querySelectorAll("thead .here")) old.classList.remove("here");
  if (!cell) return;
  const problem = DATA.problems[cell.cellIndex - 1];
  byId("grid").querySelector("thead tr").cells[cell.cellIndex].classList.add("here");
  if (!cell.title) cell.title = `${DATA.claims[cell.parentElement.dataset.n].label} on ${problem}: ${cell.getAttribute("aria-label")}`;
}

function openAt(cell) {
  const claim = DATA.claims[cell.parentElement.dataset.n];
  const problem = cell.cellIndex && claim.cells[cell.cellIndex - 1] !== "." ? `&on=${DATA.problems[cell.cellIndex - 1]}` : "";
  location.hash = `#claim=${claim.id}${problem}`;
}

function step(cell, down, right) {
  const shown = rowsOf.filter((row) => !row.hidden);
  const at = shown.indexOf(cell.parentElement);
  const column = [...shown[0].cells].findIndex((_, n) => n === cell.cellIndex + right);
  const row = shown[Math.min(Math.max(at + down, 0), shown.length - 1)];
  return row.cells[right ? Math.max(column, 0) || (right < 0 ? 0 : cell.cellIndex) : cell.cellIndex];
}

function moved(event) {
  const cell = event.target.closest("td, th");
  if (!cell || !cell.parentElement.dataset.n) return;
  const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [15, 0], PageUp: [-15, 0] };
  if (event.key === "Enter") {
    event.preventDefault();
    openAt(cell);
  } else if (event.key === "Home" || event.key === "End") {
    event.preventDefault();
    focusOn(event.key === "Home" ? cell.parentElement.cells[0] : cell.parentElement.lastElementChild);
  } else if (moves[event.key]) {
    event.preventDefault();
    focusOn(step(cell, ...moves[event.key]));
  }
}

function focusOn(cell) {
  for (const old of byId("grid").querySelectorAll("tbody [tabindex='0']")) old.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

function matches(claim) {
  const want = (id) => byId(id).value;
  const column = DATA.problems.indexOf(want("problem"));
  const cells = column < 0 ? claim.cells : claim.cells[column];
  const words = want("search").toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${claim.id} ${claim.number} ${claim.title} ${claim.where} ${claim.text}`.toLowerCase();
  return (
    words.every((word) => text.includes(word)) &&
    (!want("status") || claim.status === want("status")) &&
    (!want("reading") || claim.kind === want("reading")) &&
    (column < 0 || want("verdict") || cells !== ".") &&
    (!want("verdict") || cells.includes(want("verdict"))) &&
    (!byId("certified").checked || claim.certified)
  );
}

function filter() {
  let found = 0;
  DATA.claims.forEach((claim, n) => {
    rowsOf[n].hidden = !matches(claim);
    found += !rowsOf[n].hidden;
  });
  for (const { row, members } of groupsOf) row.hidden = members.every((member) => member.hidden);
  const column = DATA.problems.indexOf(byId("problem").value);
  only.textContent = column < 0 ? "" : `#grid tr:not(.group) > :nth-child(n+2):not(:nth-child(${column + 2})) { display: none }`;
  const none = found ? "" : ": nothing matches; clear a filter";
  byId("found").textContent = `${found} of ${DATA.claims.length} claims, ${column < 0 ? DATA.problems.length : 1} of ${DATA.problems.length} problems${none}`;
  const tabbed = byId("grid").querySelector("tbody [tabindex='0']");
  if (found && (!tabbed || tabbed.parentElement.hidden)) {
    if (tabbed) tabbed.tabIndex = -1;
    rowsOf.find((row) => !row.hidden).cells[0].tabIndex = 0;
  }
}
