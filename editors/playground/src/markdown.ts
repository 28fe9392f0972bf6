// Shows Markdown from the evaluator.
import { LSPPlugin } from "@codemirror/lsp-client";
import { codeBlock, element } from "./dom";
import { client } from "./evaluator";

/** markdown returns a text as sanitized HTML, or as it is if no file is open. */
export function markdown(text: string): HTMLElement {
  const view = client.workspace.files[0]?.getView(), plugin = view && LSPPlugin.get(view);
  if (!plugin) return codeBlock(text);
  const shown = element("div", { class: "markdown", dir: "auto" });
  shown.innerHTML = plugin.docToHTML({ kind: "markdown", value: text }); // which sanitizes it
  return shown;
}
