/* The index of the paper's numbers: what is typed leaves those that have it; Enter opens the first. */

const NUMBERED = [...document.querySelectorAll(".numbered li")];

function numbersShown() {
  return NUMBERED.filter((entry) => !entry.hidden);
}

function fits(entry, words) {
  const text = entry.textContent.toLowerCase();
  return words.every((word) => (/^[(]?[a-z]?[0-9.]+[)]?$/.test(word) ? whole(text, word) : text.includes(word)));
}

function whole(text, number) {
  const bare = number.replace(/[()]/g, "").replace(/[.]$/, "").replaceAll(".", "[.]");
  return new RegExp(`(^|[^0-9a-z.])${bare}(?![0-9]|[.][0-9])`).test(text); // 3.1 is not 3.11, and 2 is not 12
}

function findNumbers() {
  const words = byId("number").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of NUMBERED) entry.hidden = !fits(entry, words);
  for (const list of document.querySelectorAll(".numbered")) list.previousElementSibling.hidden = [...list.children].every((entry) => entry.hidden);
  if (words.length) byId("numbers").open = true;
  const many = numbersShown().length;
  byId("numbers-found").textContent = words.length ? (many ? `${many} found` : "nothing has this number; the search below knows labels and titles") : "";
}

function listenToNumbers() {
  if (!byId("by-number")) return;
  byId("by-number").addEventListener("input", findNumbers);
  byId("by-number").addEventListener("submit", (event) => {
    event.preventDefault();
    const first = numbersShown()[0]?.querySelector("a");
    if (first && byId("number").value.trim()) location.hash = first.getAttribute("href");
  });
}
