// What is typed over several lines. Left alone Chromium takes the lines away itself, and
// gives what it joins style attributes, which the page's policy refuses: that does no
// harm, but logs each. Words that are composed (by an input method) are left to it.
import { EditorView } from "@codemirror/view";

/** overtyping puts such a letter in before the browser does, in the ways that the editor knows. */
export const overtyping = EditorView.domEventHandlers({
  beforeinput({ inputType, data, cancelable }, view) {
    const { state, composing } = view, { ranges, main: { from, to } } = state.selection;
    if (inputType !== "insertText" || !data || !cancelable || composing || state.readOnly || ranges.length > 1 || state.doc.lineAt(from).to >= to) return false;
    const typed = () => state.update(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    if (!state.facet(EditorView.inputHandler).some((handles) => handles(view, from, to, data, typed))) view.dispatch(typed());
    return true;
  },
});
