// The Problems pane: findings with their positions, rule pages and fixes.
import type * as lsp from "vscode-languageserver-protocol";
import { element } from "../dom";
import { callEvaluator, client } from "../evaluator";
import { fixButtons, findingText } from "../findings";
import { fillLongList } from "../long-list";
import type { Pane, Scene } from "./pane";

const severities = ["error", "error", "warning", "info", "hint"];

/** problems lists the findings. */
export const problems: Pane = (scene) => {
  const findings = scene.findings();
  if (!findings.length) return [element("p", { class: "pass" }, "No problems in this file.")];
  return [fillLongList(element("ul", { class: "plain" }), findings, (d) => problem(scene, d))];
};

function problem(scene: Scene, d: lsp.Diagnostic): HTMLElement {
  const { line, character } = d.range.start;
  const severity = severities[d.severity ?? 1];
  const below = element("div");
  const code = String(d.code ?? "");
  return element("li", {},
    element("div", { class: "row" },
      element("button", { type: "button", onclick: () => scene.reveal(line, character) }, `${line + 1}:${character + 1}`),
      element("span", { class: severity }, severity), element("code", {}, code)),
    element("div", {}, findingText(d)),
    ...(d.relatedInformation ?? []).map((r) => related(scene, r)),
    element("div", { class: "row" },
      element("button", { type: "button", onclick: () => void fixButtons(client, scene.uri, d).then((buttons) => below.replaceChildren(...buttons)) }, "Fixes"),
      element("button", { type: "button", onclick: () => void showRulePage(code, below) }, "Why?")),
    below);
}

/** related shows a related location, possibly in another file. */
function related(scene: Scene, { location: { uri, range: { start } }, message }: lsp.DiagnosticRelatedInformation): HTMLElement {
  const file = uri === scene.uri ? "" : `${decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1))}:`;
  return element("div", { class: "row" },
    element("button", { type: "button", onclick: () => scene.reveal(start.line, start.character, uri) }, `${file}${start.line + 1}:${start.character + 1}`),
    element("span", { class: "faint" }, message));
}

async function showRulePage(rule: string, below: HTMLElement): Promise<void> {
  const page = await callEvaluator("explain", { rule });
  below.replaceChildren(element("pre", {}, page.page));
}
