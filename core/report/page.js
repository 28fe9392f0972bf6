// Sorts and searches the cases of each suite. Without it, their table is as it was written.
const collator = new Intl.Collator(undefined, { numeric: true });
const state = history.state ?? {}; // of the suites, by their ids; a reload keeps it
const keep = () => history.replaceState(state, "");
addEventListener("hashchange", keep);

for (const find of document.querySelectorAll(".find")) {
  const suite = find.parentElement, table = suite.querySelector(".cases"), body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const own = (state[suite.getAttribute("aria-labelledby")] ??= {});
  const [field, count] = find.querySelectorAll("input, output"), unpassed = suite.querySelector(".unpassed");
  const cases = [...body.rows].map((row) => {
    const article = document.getElementById(row.querySelector("a").hash.slice(1)).closest("article");
    const parts = [row.querySelector("th"), row.querySelector(".why"), article.querySelector(".question")];
    return { row, article, text: parts.map((e) => e?.textContent).join("\n").toLowerCase() };
  });

  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const c of cases) c.row.hidden = c.article.hidden = !words.every((word) => c.text.includes(word));
    const shown = cases.filter((c) => !c.row.hidden && !(unpassed?.checked && c.row.matches(".is-pass"))).length;
    count.value = shown < cases.length ? `${shown} of ${cases.length} cases` : "";
    Object.assign(own, { words: field.value, unpassed: unpassed?.checked });
    keep();
  };
  suite.addEventListener("input", search);

  const sort = (column, direction) => {
    heads.forEach((head, i) => (head.ariaSort = i === column ? direction : null));
    const sign = direction === "ascending" ? 1 : -1;
    const valueOf = ({ dataset, textContent }) => ("value" in dataset ? parseFloat(dataset.value) : textContent);
    const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[column]) }));
    // unknown numbers come last in both directions
    rows.sort(({ value: a }, { value: b }) => Number.isNaN(a) - Number.isNaN(b) || sign * (typeof a === "number" ? a - b : collator.compare(a, b)));
    body.append(...rows.map(({ row }) => row));
    own.sort = [column, direction];
    keep();
  };
  for (const [column, head] of heads.slice(0, -1).entries()) {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(column, head.ariaSort === "ascending" ? "descending" : "ascending"));
  }
  table.classList.add("sortable");
  find.hidden = false;
  if (heads[own.sort?.[0]]) sort(...own.sort);
  if (own.words) field.value = own.words;
  if (own.unpassed) unpassed.checked = true;
  search();
}
