// Where the shown grades come from, and the notice about errors.
import type { LastResult } from "@rubric-ls/wasm";
import { element, elementById, inlineCode, showStatus } from "../dom";
import { isSameTarget, type Entry, type ManualGrade } from "../state";
import { caseLabel } from "../case-positions";
import { chooseJudge, isOffline } from "../run/judge-select";
import { gradesOfRun, hasReplaced, restoreGrades, type Last } from "./last-run";
import { explained } from "../words";
import type { Scene } from "./pane";

/** GradeSource is where the grades of a case come from: nowhere yet, the last run, or the user. */
export type GradeSource = "none" | "run" | "person";

const isSameGrade = (a: ManualGrade, b: ManualGrade): boolean => isSameTarget(a, b) && a.satisfied === b.satisfied && a.score === b.score && a.votes === b.votes && a.label === b.label;

/** gradeSource compares the user's grades with those of the last run. */
export function gradeSource(grades: ManualGrade[], last: LastResult | null): GradeSource {
  const run = last ? gradesOfRun(last) : [];
  if (last && grades.every((t) => run.some((g) => isSameGrade(g, t))) && run.every((g) => !isShown(g, grades) || grades.some((t) => isSameGrade(g, t)))) return "run";
  return grades.length ? "person" : "none";
}

/** isShown reports whether a grade is of the kind in `grades`. Grades of evalsets have a turn. */
const isShown = (g: ManualGrade, grades: ManualGrade[]): boolean => !grades.length || grades.some((t) => (t.turn === undefined) === (g.turn === undefined));

/** verdictBadge shows a verdict. The kind `open` means not judged. */
export const verdictBadge = (kind: string, text = kind): HTMLElement => element("span", { class: `verdict ${kind}` }, text);

/** hypothetical marks a verdict that no run has given, and says whose grades it rests on. Without open grades, those of a run give its verdict. */
export function hypothetical({ from, stale }: Entry = {}, last: LastResult | null, open: number): (Node | string)[] {
  const age = stale && from?.endsWith("run") ? [" ", element("span", { class: "chip stale" }, "stale")] : [];
  if (from === "run" && !open) return [element("span", { class: "faint" }, "with the grades of an earlier run"), ...age];
  const owner = { example: "The example's grades", link: "Grades from the link", "linked run": "Grades from the link, of a run elsewhere", run: "Grades of an earlier run", user: "Your grades" }[from ?? "user"];
  return [explained("hypothetical", "chip"), " ", element("span", { class: "faint" }, `${owner}${from === "run" ? "" : last ? ", not those of the run" : `; not run ${from?.startsWith("link") ? "here " : ""}yet`}.`), ...age];
}

/** flipHeading says what to do with the buttons for grades that change the verdict. */
export const flipHeading = (buttons: number): HTMLElement => element("h2", {}, `Click ${buttons === 1 ? "this" : "one of these"} to change the verdict:`);

/** focusFlip moves the focus to the first of these buttons. The page does not scroll. */
export const focusFlip = (): void => (document.querySelector<HTMLElement>("button.flip") ?? elementById("pane")).focus({ preventScroll: true });

/** inRun names a run as the source of a verdict. */
export const inRun = ({ judge, run = "the last run" }: Last): string => `in ${run}${judge ? ` (judge: ${judge})` : ""}`;

const link = (text: string, act: () => void): HTMLElement => element("button", { type: "button", class: "link", onclick: act }, text);

/** runButton runs a case, and says at once that it does. The pane is drawn anew when the run ends. */
function runButton(scene: Scene, caseId: string): HTMLElement {
  const button = element("button", { type: "button", onclick: () => {
    [button.disabled, button.textContent] = [true, "Running…"];
    scene.run(caseId);
  } }, isOffline() ? "Run this case offline" : "Run this case");
  return button;
}

/** runActions offers to run a case, and says what the run does. */
export const runActions = (scene: Scene, caseId: string): Node[] => [
  runButton(scene, caseId),
  ...(isOffline() ? [element("span", { class: "faint" }, "The text is checked literally; no model is asked."), link("Choose a judge", () => void scene.showTab("run").then(() => chooseJudge()))] : []),
];

/** gradeActions offers what can be done with the grades that a verdict rests on. What takes the place of the user's grades can be undone. */
export function gradeActions(scene: Scene, caseId: string, source: GradeSource, last: LastResult | null, error: string | undefined, redraw: () => unknown): Node[] {
  const entry = scene.entries[caseId] ?? {}; // a case that is only looked at gets none: the workspace would count as edited
  const label = caseLabel(scene.cases, caseId), change = (act: () => void) => () => (act(), scene.onGradesChange(), void redraw());
  const replace = (text: string, grades: ManualGrade[], from: Entry["from"], message: string) => link(text, () => {
    const { grades: before, from: owner } = entry;
    change(() => Object.assign(entry, { grades, from }))();
    showStatus(message, { label: "Undo", run: () => (Object.assign(entry, { grades: before, from: owner }), scene.onGradesChange(), scene.selectCase(caseId)) });
  });
  const run = error || (last && !last.stale) ? [] : runActions(scene, caseId);
  if (source === "person" && last) return [...run, replace("Back to the run's grades", gradesOfRun(last), "run", `${label} has the grades of the run again.`)];
  if (source === "person") return [...run, replace("Clear these grades", [], undefined, `The grades of ${label} are cleared.`)];
  return source === "run" ? [...run, ...(hasReplaced(entry) ? [link("Back to the grades before the run", change(() => restoreGrades(entry)))] : [])] : [];
}

/** caseError returns why the evaluator does not run a case. */
export const caseError = ({ cases }: Scene, id: string): string | undefined => cases.find((c) => c.id === id)?.error;

/** errorText says that a case does not run, or none does, and what to mend. Its finding says what the runner of the file's format does. */
export const errorText = ({ cases }: Scene, { id, error = "" }: { id: string; error?: string }): string =>
  `This page and \`rubric run\` do not run ${cases.length > 1 && cases.every((c) => c.error === error) ? "any case of this file" : `\`${caseLabel(cases, id)}\``} before this is mended: ${error.replaceAll("; the runner ", "; the format's own runner ")}`;

/** errorNotice says why a case does not run. */
export const errorNotice = (scene: Scene, id: string, error?: string): Node[] => (error ? [element("p", { class: "error", dir: "auto" }, ...inlineCode(errorText(scene, { id, error })), " ", link("Show in Problems", () => void scene.showTab("problems")))] : []);
