// The results of runs as a table: a row for each case and target, a column for each criterion that cases share.
import type { CaseRecord, GraderRecord } from "@rubric-ls/wasm";
import { drawCase, type CasePanel, type PanelAction } from "../../../case-panel/case-panel";
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
  order: number;
}

/** verdicts in the order in which they need attention */
const verdicts = ["fail", "ungraded", "borderline", "pass"];

/** maxColumns limits the columns for criteria, and batchSize the rows that are shown at once. */
const maxColumns = 8, batchSize = 100;

/** maxCauses limits the causes that are shown above the table. */
const maxCauses = 4;

/** updateDelay is the time between two drawings during a run, in milliseconds. */
const updateDelay = 250;

/** Links are what a row can lead to. */
export interface Links {
  /** showCase shows a case in the pane Score. */
  showCase(id: string): void;
  /** panel returns what the case panel shows of a case and a target, or nothing if the case is gone. */
  panel(id: string, target?: string): Promise<CasePanel | null>;
  /** act does what the user asks for in the panel of a case. */
  act(id: string, action: PanelAction): void;
  /** chooseJudge moves the focus to the choice of the judge, or to the key of its server. */
  chooseJudge(field: Cause["field"]): void;
}

/** cellsOf returns the cells of a result by the names of their columns. */
function cellsOf(graders: GraderRecord[], cells = new Map<string, Cell>()): Map<string, Cell> {
  for (const g of graders) {
    if (g.evaluator_results?.length) cellsOf(g.evaluator_results, cells);
    else if (g.grades?.length) for (const { id, score, satisfied, ungraded, reasoning } of g.grades) {
      const value = ungraded ? -1 : score === undefined ? Number(satisfied) : score / 10;
      cells.set(id, { value, text: ungraded ? "–" : score === undefined ? (satisfied ? "yes" : "no") : `${formatNumber(score)} of 10`, style: ungraded ? "" : bandClass(value), reason: ungraded ?? reasoning });
    } else {
      const value = g.ungraded ? null : g.score;
      cells.set(g.name, { value: value ?? -1, text: value === null ? "–" : formatNumber(value), style: value === null ? "" : bandClass(value), reason: g.ungraded ?? g.metric?.reason ?? g.reasoning ?? "" });
    }
  }
  return cells;
}

/** ResultsTable is the table with its filters. */
export class ResultsTable {
  readonly node = element("section", { "aria-label": "Results of the run", hidden: true });
  #rows = new Map<string, Row>();
  #verdict = ""; // shown only, or all
  #sort = { column: "verdict", descending: false };
  #shown = batchSize;
  #open = new Map<string, HTMLElement>(); // the case panels of rows with details, by key
  #added: string[] = []; // keys of this run
  #timer = 0;
  #causes = element("div");
  #filters = element("div", { class: "row", role: "group", "aria-label": "Show" });
  #search = element("input", { type: "search", "aria-label": "Search the results", placeholder: "Search", oninput: () => this.#draw() });
  #table = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of results" });

  constructor(readonly links: Links) {
    this.node.append(this.#causes, element("div", { class: "row" }, this.#filters, this.#search, element("button", { type: "button", class: "end", onclick: () => this.#download() }, "Download results")), this.#table);
  }

  /** clear removes all results. */
  clear(): void {
    this.#rows.clear();
    this.#open.clear();
    [this.#verdict, this.#shown] = ["", batchSize];
    this.#draw();
  }

  /** add adds a result. It replaces that of the same case and target. */
  add(record: CaseRecord): void {
    const key = JSON.stringify([record.eval_id, record.target]);
    this.#rows.set(key, { record, cells: cellsOf(record.evaluator_results), order: this.#rows.get(key)?.order ?? this.#rows.size });
    this.#added.push(key);
    this.#timer ||= window.setTimeout(() => this.#draw(), updateDelay);
  }

  /** finish draws the last results. The details of a single one are shown. */
  finish(): void {
    if (this.#added.length === 1) this.#openPanel(this.#added[0]);
    for (const key of this.#added) if (this.#open.has(key)) this.#openPanel(key); // with what is new
    this.#added = [];
    this.#draw();
  }

  /** openPanel shows the case panel of a row. */
  #openPanel(key: string): void {
    const { record: { eval_id: id, target } } = this.#rows.get(key)!, shown = this.#open.get(key) ?? element("div", { class: "case-panel", role: "region", "aria-label": `Result of ${id}` });
    this.#open.set(key, shown);
    const gone = () => shown.replaceChildren("The file no longer has this case.");
    void this.links.panel(id, target).then((panel) => (panel ? drawCase(shown, panel, 2, (action) => this.links.act(id, action)) : gone()), gone);
  }

  /** columns returns the criteria to show: those of most cases first, in the order of the file. */
  #columns(): { shown: string[]; others: boolean } {
    const counts = new Map<string, number>();
    for (const { cells } of this.#rows.values()) for (const name of cells.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
    const all = [...counts.keys()].filter((name) => !/^rubric-\d+$/.test(name)); // a generated id means something else in each case
    if (all.length <= maxColumns) return { shown: all, others: all.length < counts.size };
    const frequent = all.filter((name) => counts.get(name)! > 1).sort((a, b) => counts.get(b)! - counts.get(a)!).slice(0, maxColumns);
    return { shown: all.filter((name) => frequent.includes(name)), others: true };
  }

  #matches({ record, cells }: Row): boolean {
    if (this.#verdict && record.verdict !== this.#verdict) return false;
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return true;
    const text = [record.eval_id, record.target, record.error, record.candidate_answer, ...(record.reasons ?? []), ...[...cells].flatMap(([name, { reason }]) => [name, reason])].join(" ").toLowerCase();
    return words.every((w) => text.includes(w));
  }

  #compare(a: Row, b: Row): number {
    const { column, descending } = this.#sort, sign = descending ? -1 : 1;
    const value = ({ record, cells, order }: Row): number | string =>
      column === "verdict" ? verdicts.indexOf(record.verdict) : column === "case" ? order : column === "target" ? record.target ?? "" : column === "score" ? record.score ?? -1 : cells.get(column.slice(1))?.value ?? -2;
    const [x, y] = [value(a), value(b)];
    return sign * (x < y ? -1 : x > y ? 1 : 0) || a.order - b.order;
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const all = [...this.#rows.values()];
    this.node.hidden = !all.length;
    this.#drawFilters(all);
    const causes = causesOf(all.map(({ record }) => record));
    this.#causes.replaceChildren(...causes.slice(0, maxCauses).map((cause) => this.#cause(cause)), ...(causes.length > maxCauses ? [element("p", { class: "faint" }, `${causes.length - maxCauses} other causes; see the rows.`)] : []));
    const rows = [...this.#rows].filter(([, row]) => this.#matches(row)).sort(([, a], [, b]) => this.#compare(a, b));
    const { shown, others } = this.#columns(), hasTargets = new Set(all.map(({ record }) => record.target)).size > 1;
    const head = (column: string, label: string | HTMLElement) => element("th", { scope: "col", "aria-sort": this.#sort.column !== column ? "none" : this.#sort.descending ? "descending" : "ascending" },
      element("button", { type: "button", class: "sort", onclick: () => this.#sortBy(column) }, label));
    const columnCount = 3 + Number(hasTargets) + shown.length + Number(others);
    this.#table.replaceChildren(element("table", { class: "grid" },
      element("thead", {}, element("tr", {}, head("verdict", "Verdict"), head("case", "Case"), ...(hasTargets ? [head("target", "Target")] : []), head("score", "Score, 0 to 1"), ...shown.map((name) => head(`.${name}`, element("code", {}, name))), others && element("th", { scope: "col" }, shown.length ? "Other criteria" : "Criteria"))),
      element("tbody", {}, ...rows.slice(0, this.#shown).flatMap(([key, row]) => this.#row(key, row, shown, others, hasTargets, columnCount)))));
    if (!rows.length && all.length) this.#table.append(element("p", { class: "empty" }, "No result matches."));
    if (rows.length > this.#shown) this.#table.append(element("button", { type: "button", onclick: () => {
      this.#shown += batchSize;
      this.#draw();
    } }, `${Math.min(batchSize, rows.length - this.#shown)} more of ${rows.length - this.#shown}`));
  }

  #drawFilters(all: Row[]): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.verdict;
    const filter = (verdict: string, label: string, count: number) => element("button", { type: "button", class: `chip ${verdict}`, "data-verdict": verdict, "aria-pressed": String(this.#verdict === verdict), onclick: () => {
      [this.#verdict, this.#shown] = [verdict, batchSize];
      this.#draw();
    } }, `${label} ${count}`);
    const kinds = verdicts.map((v) => [v, all.filter(({ record }) => record.verdict === v).length] as const).filter(([, count]) => count);
    this.#filters.replaceChildren(filter("", "all", all.length), ...(kinds.length > 1 ? kinds.map(([v, count]) => filter(v, v, count)) : []));
    if (focused !== undefined) this.#filters.querySelector<HTMLElement>(`[data-verdict="${focused}"]`)?.focus();
  }

  #sortBy(column: string): void {
    const same = this.#sort.column === column;
    this.#sort = { column, descending: same && !this.#sort.descending };
    this.#draw();
    this.#table.querySelector<HTMLElement>("th:not([aria-sort=none]) button")?.focus();
  }

  #row(key: string, { record, cells }: Row, shown: string[], others: boolean, hasTargets: boolean, columnCount: number): HTMLElement[] {
    const panel = this.#open.get(key);
    const toggle = element("button", { type: "button", class: "link", "aria-expanded": String(Boolean(panel)), onclick: () => {
      if (!this.#open.delete(key)) this.#openPanel(key);
      this.#draw();
      this.#table.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus();
    }, "data-row": key }, record.eval_id);
    const cell = ({ text, style, reason }: Cell) => element("span", { class: `cell-grade ${style}`, title: reason }, text);
    const rest = others ? [...cells].filter(([name]) => !shown.includes(name)) : [];
    const row = element("tr", {},
      element("td", {}, verdictBadge(record.verdict)), element("th", { scope: "row", dir: "auto" }, toggle), ...(hasTargets ? [element("td", {}, record.target ?? "")] : []),
      element("td", { class: "number" }, record.score === null ? "–" : formatNumber(record.score)),
      ...shown.map((name) => element("td", { class: "number" }, cells.has(name) ? cell(cells.get(name)!) : "")),
      others && element("td", {}, ...rest.flatMap(([name, one]) => [element("span", { class: "other" }, element("code", {}, name), " ", cell(one)), " "])));
    return panel ? [row, element("tr", {}, element("td", { colspan: columnCount, class: "details" }, panel, element("button", { type: "button", onclick: () => this.links.showCase(record.eval_id) }, icon("score"), " Show in Score")))] : [row];
  }

  /** cause shows why cases are ungraded, once for all of them. */
  #cause({ message, remedy, field, cases }: Cause): HTMLElement {
    return element("div", { class: "cause", role: "note" }, icon("warning"),
      element("div", {}, element("p", { dir: "auto" }, element("b", {}, cases.length === 1 ? cases[0] : `${cases.length} cases`), ": ", ...inlineCode(message)),
        remedy && element("p", {}, remedy, " ", field && element("button", { type: "button", class: "link", onclick: () => this.links.chooseJudge(field) }, field === "key" ? "Enter the key" : "Choose a judge"))));
  }

  /** download saves the results as `rubric run --output` writes them. */
  #download(): void {
    download("results.jsonl", [...this.#rows.values()].map(({ record }) => `${JSON.stringify(record)}\n`), "application/jsonl");
  }
}
