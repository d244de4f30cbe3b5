"use strict";

/* Elements, and the chart of both sides of a claim against k. Text never becomes markup. */

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const el = (name, attributes, ...children) => filled(document.createElement(name), attributes, children);
const draw = (name, attributes, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

const digits = (value) => (value === null || value === undefined ? "–" : String(Number(value.toPrecision(5))));
const raised = (n) => "10" + [...String(n)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("");

const SIDES = [
  ["left", "left side"],
  ["right", "right side: the bound"],
  ["classical", "classical bound, with L"],
];
const OUTCOMES = { h: "holds", x: "violated", u: "undecided", v: "vacuous" };
const BOX = { width: 640, height: 320, left: 62, right: 14, top: 12, bottom: 38 };

function logarithmic(low, high, from, to) {
  const [a, b] = [Math.log10(low), Math.log10(high)];
  return (value) => from + ((Math.log10(value) - a) / (b - a || 1)) * (to - from);
}

const linear = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);

function decades(low, high, most) {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const ticks = [];
  for (let n = first; n <= last; n += step) ticks.push([10 ** n, n >= 0 && n < 4 ? String(10 ** n) : raised(n)]);
  if (ticks.length > 1) return ticks;
  const fine = [];
  for (let n = first - 1; n <= last + 1; n += 1) for (const m of [1, 2, 5]) fine.push(m * 10 ** n);
  const inside = fine.filter((v) => v >= low * 0.999 && v <= high * 1.001);
  return (inside.length > 1 ? inside : round(low, high)).map((v) => [v, digits(v)]);
}

function round(low, high) {
  const size = 10 ** Math.floor(Math.log10((high - low) / 3));
  const unit = size * [1, 2, 5, 10].find((m) => (high - low) / (m * size) <= 5);
  const ticks = [];
  for (let n = Math.ceil(low / unit); n * unit <= high; n += 1) ticks.push(n * unit);
  return ticks;
}

function evenly(low, high, most) {
  const step = Math.max(1, Math.ceil((high - low) / most));
  const ticks = [];
  for (let k = low; k <= high; k += step) ticks.push([k, String(k)]);
  return ticks;
}

function scales(curve) {
  const values = SIDES.flatMap(([side]) => curve[side] || []).filter((v) => v !== null && v > 0);
  const [first, last] = [curve.k[0], curve.k[curve.k.length - 1]];
  const log = last > 30;
  const low = log ? Math.max(1, first) : first;
  const x = (log ? logarithmic : linear)(low, last, BOX.left, BOX.width - BOX.right);
  const [bottom, top] = [Math.min(...values), Math.max(...values)];
  const pad = Math.max((top / bottom) ** 0.04, 1.05);
  const y = logarithmic(bottom / pad, top * pad, BOX.height - BOX.bottom, BOX.top);
  return {
    x: (k) => (k < low ? null : x(k)),
    y: (v) => (v === null || !(v > 0) ? null : y(v)),
    along: log ? decades(low, last, 6) : evenly(first, last, 8),
    up: decades(bottom / pad, top * pad, 6),
    empty: values.length === 0,
    log,
  };
}

function path(curve, side, scale) {
  let open = false;
  return curve.k
    .map((k, n) => {
      const [x, y] = [scale.x(k), scale.y(curve[side][n])];
      if (x === null || y === null) {
        open = false;
        return "";
      }
      const step = `${open ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
      open = true;
      return step;
    })
    .join("");
}

function axes(scale) {
  const [bottom, end] = [BOX.height - BOX.bottom, BOX.width - BOX.right];
  const lines = scale.up.map(([v, name]) => [
    draw("line", { class: "rule", x1: BOX.left, x2: end, y1: scale.y(v), y2: scale.y(v) }),
    draw("text", { class: "tick", x: BOX.left - 6, y: scale.y(v) + 4, "text-anchor": "end" }, name),
  ]);
  const marks = scale.along.map(([k, name]) => [
    draw("line", { class: "rule", x1: scale.x(k), x2: scale.x(k), y1: BOX.top, y2: bottom }),
    draw("text", { class: "tick", x: scale.x(k), y: bottom + 16, "text-anchor": "middle" }, name),
  ]);
  const named = draw("text", { class: "tick name", x: end, y: BOX.height - 4, "text-anchor": "end" }, scale.log ? "k (log scale)" : "k");
  return [...lines.flat(), ...marks.flat(), named];
}

function told(curve, n) {
  const parts = SIDES.filter(([side]) => curve[side]).map(([side]) => `${side} ${digits(curve[side][n])}`);
  const [left, right] = [curve.left[n], curve.right[n]];
  if (left !== null && right) parts.push(`left/right ${digits(left / right)}`);
  return `k = ${curve.k[n]}: ${parts.join(", ")}; ${OUTCOMES[curve.outcomes[n]]}`;
}

function crosses(curve, scale) {
  return [...curve.outcomes]
    .map((outcome, n) => [outcome, scale.x(curve.k[n]), scale.y(curve.left[n])])
    .filter(([outcome, x, y]) => outcome === "x" && x !== null && y !== null)
    .map(([, x, y]) => draw("path", { class: "cross", d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8` }));
}

function chart(curve, name) {
  const scale = scales(curve);
  if (scale.empty) return el("p", { class: "muted" }, "Neither side is positive anywhere: there is nothing to draw on a logarithmic scale.");
  const readout = el("output", { class: "readout" });
  const line = draw("line", { class: "at", y1: BOX.top, y2: BOX.height - BOX.bottom });
  const dots = SIDES.filter(([side]) => curve[side]).map(([side]) => [side, draw("circle", { class: `dot ${side}`, r: 4 })]);
  const picture = draw(
    "svg",
    {
      viewBox: `0 0 ${BOX.width} ${BOX.height}`, class: "chart", tabindex: 0, role: "slider",
      "aria-label": `Both sides against k, ${name}. Arrow keys move along k.`, "aria-valuemin": 0, "aria-valuemax": curve.k.length - 1,
    },
    axes(scale),
    SIDES.filter(([side]) => curve[side]).map(([side]) => draw("path", { class: `line ${side}`, d: path(curve, side, scale) })),
    crosses(curve, scale), line, dots.map(([, dot]) => dot),
  );
  let now = curve.k.length - 1;
  const show = (n) => {
    now = Math.min(Math.max(n, 0), curve.k.length - 1);
    const x = scale.x(curve.k[now]);
    line.setAttribute("visibility", x === null ? "hidden" : "visible");
    if (x !== null) for (const end of ["x1", "x2"]) line.setAttribute(end, x);
    for (const [side, dot] of dots) {
      const y = scale.y(curve[side][now]);
      dot.setAttribute("visibility", x === null || y === null ? "hidden" : "visible");
      if (x !== null && y !== null) filled(dot, { cx: x, cy: y }, []);
    }
    readout.textContent = told(curve, now);
    filled(picture, { "aria-valuenow": now, "aria-valuetext": readout.textContent }, []);
  };
  const nearest = (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * BOX.width;
    const far = (n) => Math.abs((scale.x(curve.k[n]) ?? Infinity) - at);
    show(curve.k.reduce((best, _, n) => (far(n) < far(best) ? n : best), curve.k.length - 1));
  };
  picture.addEventListener("pointermove", nearest);
  picture.addEventListener("pointerdown", nearest);
  picture.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    show(to);
  });
  const first = curve.outcomes.indexOf("x");
  show(first >= 0 ? first : curve.k.length - 1);
  return el("div", { class: "drawn" }, legend(curve), picture, readout, numbers(curve));
}

function legend(curve) {
  const keys = SIDES.filter(([side]) => curve[side]).map(([side, name]) =>
    el("span", {}, draw("svg", { viewBox: "0 0 28 8", class: "key", "aria-hidden": "true" }, draw("path", { class: `line ${side}`, d: "M0 4H28" })), name),
  );
  const cross = curve.outcomes.includes("x") ? [el("span", {}, el("b", { class: "v-x" }, "✕"), "violated")] : [];
  return el("p", { class: "legend" }, ...keys, ...cross);
}

function numbers(curve) {
  const sides = SIDES.filter(([side]) => curve[side]);
  const rows = curve.k.map((k, n) =>
    el("tr", {}, el("th", { scope: "row" }, String(k)), sides.map(([side]) => el("td", {}, digits(curve[side][n]))), el("td", {}, OUTCOMES[curve.outcomes[n]])),
  );
  const head = ["k", ...sides.map(([side]) => side), "verdict"].map((name) => el("th", { scope: "col" }, name));
  const body = el("table", { class: "figures" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
  return el("details", {}, el("summary", {}, "The same as a table"), el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "values" }, body));
}
