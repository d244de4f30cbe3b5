/* One claim: made when it is opened, with its readings as tabs, its cells as a table and its curves drawn. */

const FEW = 60;
let opener = null;
let scrolled = 0;

const PAGES = new Map([...document.querySelectorAll("body > script.claim")].map((one) => [one.dataset.claim, one]));

function found(name) {
  if (BY_ID.has(name)) return DATA.claims[BY_ID.get(name)];
  return DATA.claims.find((claim) => claim.label === name || claim.id.endsWith(`/${name}`));
}

function openClaim(name, problem, focus) {
  const claim = found(name);
  const page = byId("claim");
  if (!claim) {
    page.replaceChildren(el("p", { class: "state" }, `This report has no claim '${name}'. `, el("a", { href: "#matrix" }, "All claims")));
  } else {
    const data = JSON.parse(PAGES.get(claim.id).textContent);
    const article = new DOMParser().parseFromString(data.page, "text/html").body.firstElementChild; // written and escaped by the report
    page.replaceChildren(around(claim), document.importNode(article, true));
    tabs(claim, page.querySelector(".tabs"));
    page.querySelector(".cells").append(...verdicts(data, problem));
    page.querySelector(".curves").append(...curvesOf(data));
  }
  if (page.hidden) scrolled = window.scrollY;
  byId("overview").hidden = true;
  page.hidden = false;
  document.title = claim ? `${claim.label} (${claim.reading})` : "no such claim";
  window.scrollTo(0, 0);
  const target = focus === "tab" ? page.querySelector("[role=tab][aria-selected=true]") : page.querySelector("h2");
  if (target) target.focus({ preventScroll: true });
  if (problem) page.querySelector(".verdicts").scrollIntoView();
}

function around(claim) {
  const shown = DATA.claims.filter((_, n) => !rowsOf[n].hidden);
  const at = shown.indexOf(claim);
  const link = (other, text, key) => (other ? el("a", { href: `#claim=${other.id}`, rel: key, title: other.title }, text) : el("span", { class: "muted" }, text));
  return el(
    "nav", { class: "around", "aria-label": "Claims" },
    el("a", { href: "#matrix", id: "back" }, "← All claims"),
    el("span", {}, link(shown[at - 1], "previous", "prev"), " · ", link(at < 0 ? null : shown[at + 1], "next", "next")),
  );
}

function tabs(claim, list) {
  const same = DATA.claims.filter((other) => other.label === claim.label && other.paper === claim.paper);
  if (same.length < 2) return;
  list.hidden = false;
  list.append(
    ...same.map((other) =>
      el(
        "a", { role: "tab", href: `#claim=${other.id}`, "aria-selected": other === claim ? "true" : "false", tabindex: other === claim ? 0 : -1 },
        el("span", { class: `symbol ${other.status}`, "aria-hidden": "true" }, STATUS[other.status]), ` ${other.reading}`,
        el("span", { class: "visually-hidden" }, `, ${other.status}`),
      ),
    ),
  );
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = same[(same.indexOf(claim) + by + same.length) % same.length];
    history.replaceState(null, "", `#claim=${next.id}`);
    openClaim(next.id, "", "tab");
  });
}

function verdicts(data, problem) {
  if (!data.rows.length) return [el("p", { class: "muted" }, "No cell was tried.")];
  const order = Object.keys(DATA.codes).join("");
  const word = (n) => data.words[n];
  const rows = [...data.rows].sort((a, b) => order.indexOf(a[5]) - order.indexOf(b[5]) || word(a[0]).localeCompare(word(b[0])));
  const problems = [...new Set(rows.map((row) => word(row[0])))].sort();
  const choice = el("select", { "aria-label": "Problem" }, el("option", { value: "" }, "all problems"), ...problems.map((name) => el("option", { value: name, selected: name === problem }, name)));
  const kind = el("select", { "aria-label": "Verdict" }, el("option", { value: "" }, "all verdicts"), ...[...new Set(rows.map((row) => row[5]))].map((code) => el("option", { value: code }, DATA.codes[code][1])));
  const place = el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "verdicts" });
  const more = el("button", { type: "button" });
  const show = (all) => {
    const wanted = rows.filter((row) => (!choice.value || word(row[0]) === choice.value) && (!kind.value || row[5] === kind.value));
    place.replaceChildren(verdictTable(all ? wanted : wanted.slice(0, FEW), word));
    more.hidden = all || wanted.length <= FEW;
    more.textContent = `Show all ${wanted.length}`;
  };
  more.addEventListener("click", () => show(true));
  for (const select of [choice, kind]) select.addEventListener("change", () => show(false));
  show(false);
  return [el("p", { class: "buttons" }, choice, kind), place, more];
}

function verdictTable(rows, word) {
  const names = ["", "problem", "method", "M", "parameters", "arithmetic", "left / right", "at", "k: holds, violated, undecided, vacuous", "why"];
  const head = el("tr", {}, ...names.map((name) => el("th", { scope: "col" }, name)));
  const body = rows.map(([problem, method, M, letters, arithmetic, code, ratio, place, counts, reason]) =>
    el(
      "tr", {},
      el("th", { scope: "row", class: `v-${code}`, "aria-label": DATA.codes[code][1], title: DATA.codes[code][1] }, DATA.codes[code][0]),
      ...[problem, method, M, letters, arithmetic].map((n) => el("td", {}, word(n))),
      el("td", { class: "figure" }, digits(ratio)), el("td", {}, word(place)), el("td", { class: "figure" }, counts.join(" · ")), el("td", { class: "reason" }, reason.map(word).join("")),
    ),
  );
  return el("table", { class: "verdict-table" }, el("thead", {}, head), el("tbody", {}, ...body));
}

function curvesOf(data) {
  if (!data.curves.length) return [el("p", { class: "muted" }, "No curve: the claim has no run along k, or none was kept.")];
  const name = (curve) => data.words[curve.at];
  const place = el("div", {});
  const choice = el(
    "select", { "aria-label": "Run" },
    ...data.curves.map((curve, n) => el("option", { value: n }, `${DATA.codes[curve.code][0]} ${name(curve)}, ${data.words[curve.in]}`)),
  );
  const show = () => place.replaceChildren(chart(data.curves[choice.value], name(data.curves[choice.value])));
  choice.addEventListener("change", show);
  show();
  return [el("p", { class: "buttons" }, el("label", {}, el("span", {}, "Run "), choice)), place];
}

async function copied(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.body.appendChild(el("textarea", { class: "visually-hidden" }));
    area.value = text;
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = before), 1200);
}

function saved(button) {
  const { certificate } = JSON.parse(PAGES.get(button.closest("article").dataset.claim).textContent);
  const text = JSON.stringify(certificate, null, 1);
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: button.dataset.name });
  link.click();
  URL.revokeObjectURL(link.href);
}

function pressed(event) {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.matches(".copy-link")) copied(button, location.href);
  else if (button.matches(".save")) saved(button);
  else if (button.dataset.text) copied(button, button.dataset.text);
  else if (button.dataset.copies) copied(button, button.closest("section").querySelector(button.dataset.copies).textContent);
}
