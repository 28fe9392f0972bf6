// The library shows a hover that the server answers after the pointer has left the editor, and nothing closes it.
import { ViewPlugin, type EditorView } from "@codemirror/view";

/** hoverLeave cancels a pending hover when the pointer leaves the editor: the library cancels one only when the pointer moves in it. */
export const hoverLeave = ViewPlugin.define(({ dom }: EditorView) => {
  const leave = () => dom.dispatchEvent(new MouseEvent("mousemove", { clientX: -1, clientY: -1 }));
  dom.addEventListener("mouseleave", leave);
  return { destroy: () => dom.removeEventListener("mouseleave", leave) };
});
