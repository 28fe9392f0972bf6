// The results of runs as a table: a row for each case and target, a column for each criterion that cases share.
import type { Text } from "@codemirror/state";
import type { CaseRecord, GraderRecord } from "@rubric-ls/wasm";
import { drawCase, type CasePanel, type PanelAction } from "../../../case-panel/case-panel";
import type { CasePosition } from "../case-positions";
import { download, element, inlineCode } from "../dom";
import { icon } from "../icons";
import { bandClass, formatNumber } from "../panes/chart";
import { verdictBadge } from "../panes/grade-source";
import { causesOf, type Cause } from "./causes";

/** Cell is the grade of a criterion, or the score of a grader without criteria. */
interface Cell {
  text: string;
  /** for sorting; -1 without a grade */
  value: number;
  style: string;
  reason: string;
}

interface Row {
  record: CaseRecord;
  cells: Map<string, Cell>;
  /** what the history of the page calls the row */
  number: number;
  /** the number of the run, from 1 */
  run: number;
}

/** verdicts in the order in which they need attention */
const verdicts = ["fail", "ungraded", "borderline", "pass"];

/** maxColumns limits the columns for criteria, and batchSize the rows that are shown at once. */
const maxColumns = 8, batchSize = 100;

/** maxCauses limits the causes that are shown below the table. */
const maxCauses = 4;

/** updateDelay is the time between two drawings during a run, in milliseconds. */
const updateDelay = 250;

/** Links are what a row can lead to. */
export interface Links {
  /** visit makes a change that the browser's Back takes back. */
  visit(change: () => void): void;
  /** select makes a case the shown one. */
  select(id: string): void;
  /** showCase shows a case in the pane Score. */
  showCase(id: string): void;
  /** panel returns what the case panel shows of a case and a target, or nothing if the case is gone. */
  panel(id: string, target?: string): Promise<CasePanel | null>;
  /** act does what the user asks for in the panel of a case. */
  act(id: string, action: PanelAction): void;
  /** mend moves the focus to what the user has to change. */
  mend(field: Cause["field"]): void;
}

/** keyOf identifies the row of a result. */
const keyOf = ({ eval_id, target }: CaseRecord): string => JSON.stringify([eval_id, target]);

/** cellsOf returns the cells of a result by the names of their columns. What fails by its gate has the colour of a fail, whatever its grade. */
function cellsOf(graders: GraderRecord[], cells = new Map<string, Cell>()): Map<string, Cell> {
  for (const g of graders) {
    if (g.evaluator_results?.length) cellsOf(g.evaluator_results, cells);
    else if (g.grades?.length) for (const { id, score, satisfied, ungraded, reasoning } of g.grades) {
      const value = ungraded ? -1 : score === undefined ? Number(satisfied) : score / 10;
      cells.set(id, { value, text: ungraded ? "ungraded" : score === undefined ? (satisfied ? "yes" : "no") : `${formatNumber(score)} of 10`, style: ungraded ? "open" : bandClass(g.gates.some((gate) => !gate.whole && gate.id === id && !gate.met) ? 0 : value), reason: ungraded ?? reasoning });
    } else {
      const value = g.ungraded ? null : g.score;
      cells.set(g.name, { value: value ?? -1, text: value === null ? "ungraded" : formatNumber(value), style: value === null ? "open" : bandClass(g.verdict === "fail" ? 0 : value), reason: g.ungraded ?? g.metric?.reason ?? g.reasoning ?? "" });
    }
  }
  return cells;
}

/** ResultsTable is the table with its filters. */
export class ResultsTable {
  readonly node = element("section", { "aria-label": "Results of the run", hidden: true });
  readonly causes = element("div"); // why results lack grades
  #rows = new Map<string, Row>();
  #rowCount = 0; // of all rows that there ever were
  #cases: CasePosition[] = []; // of the file
  #order = new Map<string, number>(); // the cases' places in the file
  #verdict = ""; // shown only, or all
  #sort = { column: "verdict", descending: false };
  #shown = batchSize;
  #open = new Map<string, HTMLElement>(); // the case panels of rows with details, by key
  #added: string[] = []; // keys of this run
  #texts: (Text | undefined)[] = []; // of the file, at the start of each run
  #stale: boolean[] = []; // of each run, whether the file has changed since
  #counting = new Map<string, string>(); // by id, what the last result of a case comes to by the text of now
  #isRunning = false;
  #timer = 0;
  #width = 0; // of the table's place, so that a drawing need not measure it; 0 before the first
  #needed = 0; // width of the table with all its columns, estimated in pixels
  #runNote = element("p", { class: "faint" });
  #filters = element("div", { class: "row", role: "group", "aria-label": "Show" });
  #search = element("input", { type: "search", "aria-label": "Search the results", placeholder: "Search", oninput: () => this.#draw() });
  #table = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of results" });

  constructor(readonly links: Links) {
    this.node.append(element("div", { class: "row" }, this.#filters, this.#search, element("button", { type: "button", class: "end", onclick: () => this.#download() }, "Download results")), this.#table, this.#runNote, this.causes); // what comes and goes is below, so that it moves no row
    new ResizeObserver(([{ contentRect }]) => {
      this.#width = contentRect.width;
      this.#fit();
    }).observe(this.#table);
  }

  /** begin starts a run of a file's text. Results of earlier runs stay until their case has a new one, and are marked. */
  begin(text: Text | undefined): void {
    this.#texts.push(text);
    this.#stale.push(false);
    this.#isRunning = true;
  }

  /** follow hides the results of cases that the file no longer has, and marks those of runs whose text was another one, but for those that still come to the same. */
  follow(now: Text | undefined, cases: CasePosition[], counting = this.#counting): void {
    const stale = this.#texts.map((text) => Boolean(now && text && !text.eq(now)));
    if (stale.join() === this.#stale.join() && cases === this.#cases && [...counting].join() === [...this.#counting].join()) return;
    [this.#stale, this.#cases, this.#order, this.#counting] = [stale, cases, new Map(cases.map(({ id }, i) => [id, i])), counting];
    this.#draw();
  }

  #isStale({ record, run }: Row): boolean {
    const { eval_id: id, verdict, score } = record, text = `${verdict}${score === null ? "" : `, score ${formatNumber(score)}`}`, now = this.#counting.get(id)?.replace(/, \d+ grades? missing$/, "");
    return this.#stale[run - 1]! && now !== text;
  }

  /** isOf reports whether the file has had this text at the start of each run. */
  isOf(now: Text | undefined): boolean {
    return this.#texts.every((text) => !now || !text || text.eq(now));
  }

  /** isStale reports whether the file has changed since the last run. */
  get isStale(): boolean {
    return this.#stale.at(-1) ?? false;
  }

  /** fails reports whether a case fails by its last result. */
  fails(caseId: string): boolean {
    return this.#current.findLast(({ record }) => record.eval_id === caseId)?.record.verdict === "fail";
  }

  /** worst returns the worst verdict at each place of a case in the file, as LINE:CHARACTER. */
  get worst(): Map<string, string> {
    const worstLast = this.#current.sort((a, b) => verdicts.indexOf(b.record.verdict) - verdicts.indexOf(a.record.verdict));
    return new Map(worstLast.map((row) => {
      const { eval_id: id, verdict } = row.record, { line, character } = this.#cases[this.#order.get(id)!];
      return [`${line}:${character}`, `${verdict}${this.#isStale(row) ? " stale" : ""}`];
    }));
  }

  /** current returns the results of the file's cases. */
  get #current(): Row[] {
    return [...this.#rows.values()].filter(({ record }) => this.#order.has(record.eval_id));
  }

  /** add adds a result. It replaces that of the same case and target. */
  add(record: CaseRecord): void {
    const key = keyOf(record);
    this.#rows.set(key, { record, cells: cellsOf(record.evaluator_results), number: this.#rows.get(key)?.number ?? this.#rowCount++, run: this.#texts.length });
    this.#added.push(key);
    this.#timer ||= window.setTimeout(() => this.#draw(), updateDelay);
  }

  /** finish draws the last results in place of the earlier ones of their cases, and scrolls to the first that did not pass. */
  finish(): void {
    this.#isRunning = false;
    const added = new Map(this.#added.map((key) => [this.#rows.get(key)!.record.eval_id, key]));
    for (const [key, { record, run }] of this.#rows) {
      const newest = added.get(record.eval_id);
      if (newest === undefined || run === this.#texts.length) continue;
      this.#rows.delete(key);
      if (this.#open.delete(key)) this.#openPanel(newest);
    }
    for (const key of this.#added) if (this.#open.has(key)) this.#openPanel(key); // with what is new
    this.#draw();
    const isNew = new Set(this.#added), first = [...this.#table.querySelectorAll<HTMLElement>("[data-row]")].find(({ dataset: { row = "" } }) => isNew.has(row) && this.#rows.get(row)!.record.verdict !== "pass");
    first?.closest("tr")!.scrollIntoView({ block: "nearest" });
    this.#added = [];
  }

  /** openRows are the numbers of the rows with details. */
  get openRows(): number[] {
    return [...this.#open.keys()].map((key) => this.#rows.get(key)!.number);
  }

  /** showRows opens some rows and closes the others. */
  showRows(rows: number[]): void {
    for (const [key, { number }] of this.#rows) {
      if (!rows.includes(number)) this.#open.delete(key);
      else if (!this.#open.has(key)) this.#openPanel(key);
    }
    this.#draw();
  }

  /** openPanel shows the case panel of a row. */
  #openPanel(key: string): Promise<void> {
    const { record: { eval_id: id, target } } = this.#rows.get(key)!, shown = this.#open.get(key) ?? element("div", { class: "case-panel", role: "region", "aria-label": `Result of ${this.#label(id)}` });
    this.#open.set(key, shown);
    const gone = () => shown.replaceChildren("The file no longer has this case.");
    return this.links.panel(id, target).then((panel) => (panel ? drawCase(shown, panel, 2, (action) => this.links.act(id, action)) : gone()), gone);
  }

  /** label returns what people call a case. */
  #label(id: string): string {
    return this.#cases[this.#order.get(id)!]?.label ?? id;
  }

  /** columns returns the criteria that have a column: those that rows share, in the order of the file. */
  #columns(rows: Row[]): { shown: string[]; others: boolean } {
    const counts = new Map<string, number>();
    for (const { cells } of rows) for (const name of cells.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
    const shared = [...counts.keys()].filter((name) => !/^rubric-\d+$/.test(name) && counts.get(name)! >= Math.min(2, rows.length)); // a generated id means something else in each case
    const frequent = shared.length > maxColumns ? shared.toSorted((a, b) => counts.get(b)! - counts.get(a)!).slice(0, maxColumns) : shared;
    return { shown: shared.filter((name) => frequent.includes(name)), others: frequent.length < counts.size };
  }

  /** matches reports whether a result contains all words of the search. */
  #matches({ record, cells }: Row): boolean {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return true;
    const text = [record.eval_id, this.#label(record.eval_id), record.target, record.error, record.candidate_answer, ...(record.reasons ?? []), ...[...cells].flatMap(([name, { reason }]) => [name, reason])].join(" ").toLowerCase();
    return words.every((w) => text.includes(w));
  }

  #compare(a: Row, b: Row): number {
    const { column, descending } = this.#sort, sign = descending ? -1 : 1, place = ({ eval_id: id }: CaseRecord) => this.#order.get(id)!;
    const value = ({ record, cells, run }: Row): number | string =>
      column === "verdict" ? verdicts.indexOf(record.verdict) : column === "case" ? place(record) : column === "run" ? run : column === "target" ? record.target ?? "" : column === "score" ? record.score ?? -1 : cells.get(column.slice(1))?.value ?? -2;
    const [x, y] = [value(a), value(b)];
    return sign * (x < y ? -1 : x > y ? 1 : 0) || place(a.record) - place(b.record) || a.number - b.number;
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const all = this.#current, found = all.filter((row) => this.#matches(row)), gone = this.#rows.size - all.length;
    this.node.hidden = !this.#rows.size;
    this.#drawFilters(all, found);
    const causes = causesOf(all.map(({ record }) => record));
    this.causes.replaceChildren(...causes.slice(0, maxCauses).map((cause) => this.#cause(cause)), ...(causes.length > maxCauses ? [element("p", { class: "faint" }, `${causes.length - maxCauses} other causes; see the rows.`)] : []));
    const rows = found.filter(({ record }) => !this.#verdict || record.verdict === this.#verdict).sort((a, b) => this.#compare(a, b));
    const { shown, others } = this.#columns(all), hasTargets = new Set(all.map(({ record }) => record.target)).size > 1;
    const older = all.filter(({ run }) => run < this.#texts.length).length, stale = all.filter((row) => this.#isStale(row)).length, hasRuns = older + stale > 0;
    // During a run the rows say which are earlier: a note that comes and goes would move the table.
    this.#runNote.textContent = [older && !this.#isRunning && `${older} of ${all.length} results are of an earlier run.`, stale && "What is stale has changed since: run it again to see what holds.", gone && `${gone === 1 ? "1 result is" : `${gone} results are`} not shown: the file no longer has the case.`].filter(Boolean).join(" ");
    const head = (column: string, label: string | HTMLElement) => element("th", { scope: "col", class: column.startsWith(".") ? "of-criterion" : "", "aria-sort": this.#sort.column !== column ? "none" : this.#sort.descending ? "descending" : "ascending" },
      element("button", { type: "button", class: "sort", onclick: () => this.#sortBy(column) }, label));
    const columnCount = 3 + Number(hasTargets) + Number(hasRuns) + shown.length + Number(others);
    this.#table.replaceChildren(element("table", { class: "grid" },
      element("thead", {}, element("tr", {}, head("verdict", "Verdict"), head("case", "Case"), ...(hasRuns ? [head("run", "Run")] : []), ...(hasTargets ? [head("target", "Target")] : []), head("score", element("span", { class: "wrap" }, "Score, 0 to 1")), ...shown.map((name) => head(`.${name}`, element("code", {}, name))), others && element("th", { scope: "col", class: "of-criterion" }, shown.length ? "Other criteria" : "Criteria"))),
      element("tbody", {}, ...rows.slice(0, this.#shown).flatMap((row) => this.#row(row, shown, others, hasRuns, hasTargets, columnCount)))));
    this.#needed = 290 + 110 * (Number(hasTargets) + Number(hasRuns)) + shown.reduce((sum, { length }) => sum + Math.max(length, 8) * 8 + 24, others ? 200 : 0);
    this.#fit();
    if (!rows.length && all.length) this.#table.append(element("p", { class: "empty" }, "No result matches."));
    if (rows.length > this.#shown) this.#table.append(element("button", { type: "button", onclick: () => {
      this.#shown += batchSize;
      this.#draw();
    } }, `${Math.min(batchSize, rows.length - this.#shown)} more of ${rows.length - this.#shown}`));
  }

  /** fit puts the grades of a row below its case where the columns have no room. */
  #fit(): void {
    this.#table.querySelector(".grid")?.classList.toggle("stacked", (this.#width || this.#table.clientWidth) < this.#needed);
  }

  /** drawFilters offers the verdicts, and counts the results that the search has found. */
  #drawFilters(all: Row[], found: Row[]): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.verdict;
    const filter = (verdict: string, label: string, count: number) => element("button", { type: "button", class: `chip ${verdict}`, "data-verdict": verdict, "aria-pressed": String(this.#verdict === verdict), onclick: () => {
      [this.#verdict, this.#shown] = [verdict, batchSize];
      this.#draw();
    } }, `${label} ${count}`);
    const of = (rows: Row[], v: string) => rows.filter(({ record }) => record.verdict === v).length, kinds = verdicts.filter((v) => of(all, v));
    this.#filters.replaceChildren(filter("", "all", found.length), ...(kinds.length > 1 ? kinds.map((v) => filter(v, v, of(found, v))) : []));
    if (focused !== undefined) this.#filters.querySelector<HTMLElement>(`[data-verdict="${focused}"]`)?.focus();
  }

  #sortBy(column: string): void {
    const same = this.#sort.column === column;
    this.#sort = { column, descending: same && !this.#sort.descending };
    this.#draw();
    this.#table.querySelector<HTMLElement>("th:not([aria-sort=none]) button")?.focus();
  }

  #row(result: Row, shown: string[], others: boolean, hasRuns: boolean, hasTargets: boolean, columnCount: number): HTMLElement[] {
    const { record, cells, run } = result, key = keyOf(record), panel = this.#open.get(key);
    const toggle = element("button", { type: "button", class: "link", "aria-expanded": String(Boolean(panel)), onclick: () => {
      let opened: Promise<void> | undefined;
      this.links.visit(() => {
        if (!this.#open.delete(key)) opened = (this.links.select(record.eval_id), this.#openPanel(key));
        this.#draw();
      });
      void opened?.then(() => this.#open.get(key)?.closest("tr")?.scrollIntoView({ block: "nearest" }));
      this.#table.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus();
    }, "data-row": key }, this.#label(record.eval_id));
    const cell = ({ text, style, reason }: Cell) => element("span", { class: `cell-grade ${style}`, title: reason }, text);
    const rest = others ? [...cells].filter(([name]) => !shown.includes(name)) : [];
    const row = element("tr", {},
      element("td", {}, verdictBadge(record.verdict)), element("th", { scope: "row", dir: "auto" }, toggle), ...(hasRuns ? [element("td", { class: "short", "data-name": "Run" }, `${run} `, run < this.#texts.length ? element("span", { class: "chip" }, "earlier") : "", this.#isStale(result) ? element("span", { class: "chip stale" }, "stale") : "")] : []), ...(hasTargets ? [element("td", { "data-name": "Target" }, record.target ?? "")] : []),
      element("td", { class: "number", "data-name": "Score" }, record.score === null ? "–" : formatNumber(record.score)),
      ...shown.map((name) => element("td", { class: "number of-criterion", "data-name": name }, cells.has(name) ? cell(cells.get(name)!) : "")),
      others && element("td", { class: "of-criterion" }, ...rest.flatMap(([name, one]) => [element("span", { class: "other" }, element("code", {}, name), " ", cell(one)), " "])));
    return panel ? [row, element("tr", {}, element("td", { colspan: columnCount, class: "details" }, panel, element("button", { type: "button", onclick: () => this.links.showCase(record.eval_id) }, icon("score"), " Show in Score")))] : [row];
  }

  /** cause shows why cases are ungraded, once for all of them. */
  #cause({ message, remedy, field, cases }: Cause): HTMLElement {
    return element("div", { class: "cause", role: "note" }, icon("warning"),
      element("div", {}, element("p", { dir: "auto" }, element("b", {}, cases.length === 1 ? this.#label(cases[0]) : `${cases.length} cases`), ": ", ...inlineCode(message)),
        remedy && element("p", {}, remedy, " ", field && element("button", { type: "button", class: "link", onclick: () => this.links.mend(field) }, { key: "Enter the key", judge: "Choose a judge", answer: "Type an answer" }[field]))));
  }

  /** download saves the results as `rubric run --output` writes them. */
  #download(): void {
    download("results.jsonl", new Blob(this.#current.map(({ record }) => `${JSON.stringify(record)}\n`), { type: "application/jsonl" }));
  }
}
