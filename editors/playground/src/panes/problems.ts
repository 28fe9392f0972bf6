// The findings of a file, each with its place, its page and its fixes.
import type * as lsp from "vscode-languageserver-protocol";
import { element } from "../dom";
import { ask, client } from "../evaluator";
import { fixButtons, words } from "../findings";
import { sliced } from "../sliced";
import type { Pane, Scene } from "./pane";

const severities = ["error", "error", "warning", "info", "hint"];

/** problems lists them. */
export const problems: Pane = (scene) => {
  const findings = scene.findings();
  if (!findings.length) return [element("p", { class: "pass" }, "Nothing is wrong with this file.")];
  return [sliced(element("ul", { class: "plain" }), findings, (d) => problem(scene, d))];
};

function problem(scene: Scene, d: lsp.Diagnostic): HTMLElement {
  const { line, character } = d.range.start;
  const severity = severities[d.severity ?? 1];
  const more = element("div");
  const code = String(d.code ?? "");
  return element("li", {},
    element("div", { class: "row" },
      element("button", { type: "button", onclick: () => scene.reveal(line, character) }, `${line + 1}:${character + 1}`),
      element("span", { class: severity }, severity), element("code", {}, code)),
    element("div", {}, words(d)),
    ...(d.relatedInformation ?? []).map((r) => related(scene, r)),
    element("div", { class: "row" },
      element("button", { type: "button", onclick: () => void fixButtons(client, scene.uri, d).then((buttons) => more.replaceChildren(...buttons)) }, "Fixes"),
      element("button", { type: "button", onclick: () => void why(code, more) }, "Why?")),
    more);
}

/** related is a second place of a problem, which may be in another file. */
function related(scene: Scene, { location: { uri, range: { start } }, message }: lsp.DiagnosticRelatedInformation): HTMLElement {
  const file = uri === scene.uri ? "" : `${decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1))}:`;
  return element("div", { class: "row" },
    element("button", { type: "button", onclick: () => scene.reveal(start.line, start.character, uri) }, `${file}${start.line + 1}:${start.character + 1}`),
    element("span", { class: "faint" }, message));
}

async function why(rule: string, below: HTMLElement): Promise<void> {
  const page = await ask("explain", { rule });
  below.replaceChildren(element("pre", {}, page.page));
}
