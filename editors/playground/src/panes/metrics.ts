// A case of an evalset: what ADK's metrics say of it, by what a judge would say, and
// what would flip them.
import type { ManualItem, TurnQuestion, LastResult, MeasuredMetric, MeasureResult, ManualVerdict, FlippingVerdict } from "@rubric-ls/wasm";
import { at, element } from "../dom";
import { ask } from "../evaluator";
import { startRun } from "../lenses";
import { same, type Choices, type Typed } from "../state";
import { basisOf, errorCount, onErrors, pill, refusal } from "./basis";
import { judged, lastOf, summary, typedBy } from "./last";
import type { Scene } from "./pane";
import { number } from "./picture";
import { earlier } from "./recorded";
import { look, standing, type Status } from "./status";

/** labels are those of a sentence, in the words that judges are asked for. */
const labels = ["supported", "unsupported", "contradictory", "disputed", "not_applicable"];

/** typedOf is a verdict alone. */
const typedOf = ({ text: _, ...typed }: ManualItem): Typed => typed;

const said = (t: Pick<Typed, "label" | "votes" | "satisfied">): string => t.label ?? (t.votes === undefined ? (t.satisfied ? "yes" : "no") : `${t.votes} ${t.votes === 1 ? "vote" : "votes"}`);

const flipWords = (f: FlippingVerdict): string => `If ${f.id} of ${f.grader}, turn ${f.turn}, is ${said(f)}: ${f.eval_status}${f.score === null ? "" : `, score ${number(f.score)}`}`;

const listed = (all: FlippingVerdict[]): HTMLElement => element("ul", {}, ...all.map((f) => element("li", {}, flipWords(f))));

/** few is how many verdicts are shown at once that would flip the case. */
const few = 6;

/** swings are other verdicts that flip the case, and those that flip a metric alone. */
function swings({ flips = [], untried, final_eval_status: now, metrics }: MeasureResult): Node[] {
  if (!metrics.some((m) => m.asked.length)) return [element("p", { class: "faint" }, "No judge is asked: the metrics follow from the files alone.")];
  const whole = flips.filter((f) => f.final_eval_status !== now), alone = flips.filter((f) => f.final_eval_status === now);
  const more = (what: string, all: FlippingVerdict[]) => (all.length ? [element("details", {}, element("summary", {}, `${what} (${all.length})`), listed(all))] : []);
  return [
    whole.length ? element("div", {}, `One of these makes the case ${whole[0].final_eval_status}:`, listed(whole.slice(0, few))) : element("p", { class: "faint" }, `No other single verdict changes the case's ${now}.`),
    ...more("More that do", whole.slice(few)), ...more("What would pass or fail a metric alone", alone),
    ...(untried ? [element("p", { class: "faint" }, `${untried} other verdicts were not tried.`)] : []),
  ];
}

/** score is a score beside the least that passes, as words and as a bar. */
function score({ score: has, threshold, eval_status: status, reason }: MeasuredMetric): Node[] {
  if (has === null) return [element("span", { class: "chip" }, "not evaluated"), element("p", { class: "faint", dir: "auto" }, reason ?? "")];
  const bar = element("span", { class: `bar-of ${look[status]}`, "aria-hidden": "true" }, element("i", {}), element("b", {}));
  bar.style.setProperty("--grade", String(Math.min(1, Math.max(0, has))));
  bar.style.setProperty("--at", String(Math.min(1, Math.max(0, threshold))));
  return [element("span", {}, `${number(has)} from ${number(threshold)}`), bar];
}

/** control lets one thing be judged; its name is the text beside it. */
function control(t: Typed, graded: boolean, { form, samples }: TurnQuestion, id: string, name: string, given: (t: Typed) => void): Node[] {
  if (form === "label") {
    const choice = element("select", { id, "aria-label": `label of: ${name}`, onchange: () => given({ ...t, label: choice.value }) }, ...labels.map((l) => element("option", { value: l, selected: graded && l === t.label }, l)));
    if (!graded) choice.prepend(element("option", { value: "", selected: true, disabled: true }, "not judged yet"));
    else if (!labels.includes(t.label ?? "")) choice.prepend(element("option", { value: t.label ?? "", selected: true }, `${t.label} (does not count)`));
    return [choice];
  }
  if (form === "votes") {
    const shown = element("output", { for: id }, graded ? String(t.votes) : "–");
    const range = element("input", { type: "range", id, min: 0, max: samples, step: 1, value: t.votes ?? samples, "aria-label": `votes for: ${name}`, "aria-valuetext": graded ? undefined : "not judged yet", class: graded ? undefined : "open", oninput: () => {
      range.removeAttribute("aria-valuetext");
      range.removeAttribute("class");
      shown.textContent = range.value;
      given({ ...t, votes: Number(range.value) });
    } });
    return [range, shown, element("span", {}, ` of ${samples} for it`)];
  }
  const box = element("input", { type: "checkbox", id, checked: graded && t.satisfied, onchange: () => given({ ...t, satisfied: box.checked }) });
  box.indeterminate = !graded;
  return [element("label", { for: id }, box, " yes")];
}

function row(item: ManualItem, graded: boolean, of: TurnQuestion, last: LastResult | null, given: (t: Typed) => void): HTMLElement {
  const t = typedOf(item);
  return element("div", { class: "grade" },
    element("div", { class: "row" }, element("code", {}, item.id), element("span", { class: "end row" }, ...control(t, graded, of, `ruling-${t.grader}-${t.turn}-${t.id}`, item.text, given))),
    element("p", { dir: "auto" }, item.text), judged(last, t));
}

/** rulings are the verdicts that are typed for a case, in the form in which they are measured. */
export const rulings = (state: Choices, about: string): ManualVerdict[] => (state.grades[about] ?? []).flatMap(({ score, turn, ...t }) => (turn === undefined ? [] : [{ ...t, turn }]));

/** Shown is what of a metric is painted anew. */
interface Shown {
  head: HTMLElement;
  turns: HTMLElement[];
}

/** measured lets what a judge would say be typed, and shows what the metrics make of it. */
export async function measured(scene: Scene, about: string): Promise<Node[]> {
  const [last, before] = await Promise.all([lastOf(scene.uri, about), earlier(scene, about)]);
  const outcome = element("p", { role: "status", class: "outcome" }), why = element("div"), flips = element("div"), sets = element("div"), actions = element("p", { class: "row" });
  const metrics = new Map<string, Shown>();
  const refused = element("div");
  let asked = "";

  /** isGraded tells whether a person or a run that still holds has judged something. */
  const isGraded = (t: Typed) => rulings(scene.state, about).some((o) => same(o, t)) || Boolean(last?.grades.some((g) => same(g, t) && !g.stale && !g.ungraded));
  /** isOpen tells whether a metric waits for a judge. */
  const isOpen = (m: MeasuredMetric) => {
    const items = m.asked.flatMap((a) => a.items);
    return m.asked.length > 0 && m.eval_status !== "NOT_EVALUATED" && (items.length ? !items.some((i) => isGraded(typedOf(i))) : !last || last.stale);
  };

  /** tell shows the verdict with what it rests on, and what can be done about that. */
  const tell = (r: MeasureResult) => {
    const count = (of: Status) => r.metrics.filter((m) => m.eval_status === of).length;
    const counts = `${count("PASSED")} of ${r.metrics.length} metrics passed${count("NOT_EVALUATED") ? `; ${count("NOT_EVALUATED")} not evaluated (ignored)` : ""}`;
    const open = r.metrics.filter(isOpen).length, basis = basisOf(rulings(scene.state, about), last);
    const faint = (text: string) => element("span", { class: "faint" }, text);
    const errors = errorCount(scene);
    refused.replaceChildren(...refusal(scene));
    actions.replaceChildren();
    if (basis === "none" && open) {
      outcome.replaceChildren(pill("open", "Not judged yet"), errors ? "" : ` If every judgement is favourable: ${r.final_eval_status}, ${counts}`);
      if (!errors) actions.replaceChildren(element("button", { type: "button", onclick: () => startRun(scene.uri, about) }, "Run this case"));
      return;
    }
    const ungraded = basis === "run" && last!.standing === "ungraded" && !last!.stale;
    outcome.replaceChildren(ungraded ? pill("ungraded", "ungraded") : standing(r.final_eval_status), ` ${counts} `,
      faint({ none: r.metrics.length ? "by the files alone" : "", run: "in the last run", person: "with your grades" }[basis]), open && basis === "person" ? faint(`; ${open} not judged yet, which count as passed`) : "");
    if (basis === "person") actions.replaceChildren(element("button", { type: "button", onclick: () => void discard().catch(() => undefined) }, "Discard your grades"));
  };
  const paint = (r: MeasureResult) => {
    onErrors(scene, () => paint(r));
    tell(r);
    why.replaceChildren(...(r.reason ? [element("p", { class: "faint", dir: "auto" }, r.reason)] : []));
    for (const m of r.metrics) {
      const { head, turns } = metrics.get(m.metric_name)!;
      const open = isOpen(m), items = m.asked.flatMap((a) => a.items), waiting = items.filter((i) => !isGraded(typedOf(i))).length;
      if (open) head.replaceChildren(pill("open", "Not judged yet"), element("span", {}, `at best ${m.score === null ? "not evaluated" : number(m.score)} from ${number(m.threshold)}`));
      else head.replaceChildren(standing(m.eval_status), ...score(m), waiting ? element("span", { class: "faint" }, `${waiting} of ${items.length} not judged yet, which count as favourable`) : "");
      m.invocations.forEach((t, i) => turns[i]?.replaceChildren(open ? `turn ${i + 1}: not judged yet` : `turn ${i + 1}: ${t.score === null ? "not evaluated" : `${t.eval_status} ${number(t.score)}`}`, t.reason ? element("span", { class: "faint", dir: "auto" }, ` ${t.reason}`) : ""));
    }
  };

  /** build makes the fields anew if something else is asked than before. */
  const build = (r: MeasureResult) => {
    const now = JSON.stringify(r.metrics.map((m) => [m.metric_name, m.invocations.length, m.asked.map((a) => [a.turn, a.samples, a.items.map((i) => [i.id, i.text])])]));
    if (now === asked) return;
    asked = now;
    metrics.clear();
    sets.replaceChildren(...r.metrics.map((m) => {
      const shown: Shown = { head: element("div", { class: "row" }), turns: m.invocations.map(() => element("p", { class: "turn" })) };
      metrics.set(m.metric_name, shown);
      const rows = (turn: number) => m.asked.filter((a) => a.turn === turn).flatMap((a) => a.items.map((i) => row(i, isGraded(typedOf(i)), a, last, given)));
      return element("fieldset", {}, element("legend", {}, m.metric_name), shown.head, ...shown.turns.flatMap((t, i) => [t, ...rows(i + 1)]));
    }));
  };

  let order = 0;
  const reckon = async () => {
    const round = ++order;
    const params = { document: scene.uri, case: about, grades: rulings(scene.state, about) };
    const result = await ask("measure", params);
    if (round !== order) return;
    build(result);
    paint(result);
    const turned = await ask("measure", { ...params, flips: true });
    if (round === order) flips.replaceChildren(element("h2", {}, "What would flip it"), ...swings(turned));
  };
  const given = (t: Typed) => {
    scene.state.grades[about] = [...rulings(scene.state, about).filter((o) => !same(o, t)), t];
    scene.changed();
    void reckon().catch(() => undefined); // the text has moved on: what is shown is made anew
  };
  /** discard shows the verdicts of the last run again, or none. */
  const discard = async () => {
    if (last) scene.state.grades[about] = typedBy(last);
    else delete scene.state.grades[about];
    scene.changed();
    at("pane").replaceChildren(...await measured(scene, about));
  };
  await reckon();
  return [element("div", { class: "summary" }, outcome, refused, why, actions, summary(last), ...before), flips, sets];
}
