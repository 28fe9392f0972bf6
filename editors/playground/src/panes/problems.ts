// The Problems pane: one row for each finding, errors first, with its fixes and its rule's page.
import type * as lsp from "vscode-languageserver-protocol";
import { element, inlineCode } from "../dom";
import { callEvaluator, client } from "../evaluator";
import { buttonsFor, findingText, requestActions, severityOf } from "../findings";
import { icon } from "../icons";
import { fillLongList } from "../long-list";
import { markdown } from "../markdown";
import { restMissing, type Pane, type Scene } from "./pane";

const severities = ["error", "warning", "info", "hint"] as const;

/** hidden has the severities that the user does not want to see. */
const hidden = new Set<string>();

/** last is the list that was drawn last, with the text it is about and all that it shows. */
let last: { doc: unknown; content: string; drawn: HTMLElement } | undefined;

/** problems lists the findings. While nothing changes it keeps its list, with the focus and the open rule pages. */
export const problems: Pane = async (scene) => {
  const rank = (d: lsp.Diagnostic) => severities.indexOf(severityOf(d));
  const found = scene.findings();
  if (!found) return [element("p", { class: "empty" }, "The file is being checked…")];
  const findings = found.toSorted((a, b) => rank(a) - rank(b) || a.range.start.line - b.range.start.line);
  if (!findings.length) return [await restMissing("No problems so far.") ?? element("p", { class: "empty" }, "No problems in this file.")];
  const list = element("ul", { class: "plain problems" });
  const actions = actionsOf(scene, findings), visible = () => findings.filter((d) => !hidden.has(severityOf(d)));
  client.sync();
  const doc = client.workspace.getFile(scene.uri)?.doc;
  const first = await Promise.all(visible().slice(0, batchSize).map(actions)).catch(() => undefined); // the text may have changed
  const content = JSON.stringify([scene.uri, findings, first]);
  if (last && last.doc === doc && last.content === content) return [last.drawn];
  const show = () => fillLongList(list, visible(), (d) => problem(scene, d, actions(d)));
  const kinds = severities.filter((s) => findings.some((d) => severityOf(d) === s));
  const filters = kinds.map((kind) => {
    const count = findings.filter((d) => severityOf(d) === kind).length;
    const chip = element("button", { type: "button", class: `chip ${kind}`, "aria-pressed": String(!hidden.has(kind)), onclick: () => {
      if (!hidden.delete(kind)) hidden.add(kind);
      chip.setAttribute("aria-pressed", String(!hidden.has(kind)));
      show();
    } }, icon(iconOf(kind)), `${count} ${names[kind][count === 1 ? 0 : 1]}`);
    return chip;
  });
  show();
  const drawn = element("div", {}, kinds.length > 1 && element("div", { class: "row", role: "group", "aria-label": "Show" }, ...filters), list);
  last = first && { doc, content, drawn };
  return [drawn];
};

const names = { error: ["error", "errors"], warning: ["warning", "warnings"], info: ["remark", "remarks"], hint: ["hint", "hints"] };

const iconOf = (severity: string) => (severity === "error" || severity === "warning" ? severity : "info");

/** batchSize is the number of findings whose actions one request asks for. */
const batchSize = 30;

/** actionsOf returns a function that requests the actions of a finding together with those of its neighbours. */
function actionsOf(scene: Scene, findings: lsp.Diagnostic[]): (d: lsp.Diagnostic) => Promise<lsp.CodeAction[]> {
  const batches = new Map<number, Promise<lsp.CodeAction[]>>();
  return (d) => {
    const batch = Math.floor(findings.indexOf(d) / batchSize);
    if (!batches.has(batch)) batches.set(batch, requestActions(client, scene.uri, findings.slice(batch * batchSize, (batch + 1) * batchSize)));
    return batches.get(batch)!;
  };
}

function problem(scene: Scene, d: lsp.Diagnostic, actions: Promise<lsp.CodeAction[]>): HTMLElement {
  const { line, character } = d.range.start;
  const severity = severityOf(d), code = String(d.code ?? "");
  const fixes = element("span", { class: "fixes" }), page = element("div", { hidden: true, class: "rule" });
  void actions.then((all) => fixes.replaceChildren(...buttonsFor(client, scene.uri, d, all)), () => undefined); // the text may have changed
  const why = element("button", { type: "button", class: "link", "aria-expanded": "false", "aria-label": `About ${code}`, onclick: () => void toggleRule(code, page, why) }, element("code", {}, code));
  return element("li", {},
    element("button", { type: "button", class: "problem", onclick: () => scene.reveal(line, character) },
      element("span", { class: severity, title: severity }, icon(iconOf(severity)), element("span", { class: "visually-hidden" }, `${severity}: `)),
      element("span", { dir: "auto" }, ...inlineCode(findingText(d))), element("span", { class: "faint end" }, `${line + 1}:${character + 1}`)),
    element("div", { class: "row more" }, why, fixes, ...(d.relatedInformation ?? []).map((r) => related(scene, r))),
    page);
}

/** related shows a related location, possibly in another file. */
function related(scene: Scene, { location: { uri, range: { start } }, message }: lsp.DiagnosticRelatedInformation): HTMLElement {
  const file = uri === scene.uri ? "" : `${decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1))}:`;
  return element("span", {},
    element("button", { type: "button", class: "link", onclick: () => scene.reveal(start.line, start.character, uri) }, `${file}${start.line + 1}:${start.character + 1}`), " ",
    element("span", { class: "faint" }, ...inlineCode(message)));
}

/** toggleRule shows or hides the page of a rule. */
async function toggleRule(rule: string, page: HTMLElement, button: HTMLElement): Promise<void> {
  if (page.hidden) page.replaceChildren(markdown((await callEvaluator("explain", { rule })).page));
  page.hidden = !page.hidden;
  button.setAttribute("aria-expanded", String(!page.hidden));
}
