// Handles a letter typed over several selected lines. Chromium would delete the lines itself and add style
// attributes, which the content security policy rejects with a logged error. Text from an input method is left to the
// browser.
import { EditorView } from "@codemirror/view";

/** replaceLines inserts the letter before the browser does. */
export const replaceLines = EditorView.domEventHandlers({
  beforeinput({ inputType, data, cancelable }, view) {
    const { state, composing } = view, { ranges, main: { from, to } } = state.selection;
    if (inputType !== "insertText" || !data || !cancelable || composing || state.readOnly || ranges.length > 1 || state.doc.lineAt(from).to >= to) return false;
    const transaction = () => state.update(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    if (!state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, transaction))) view.dispatch(transaction());
    return true;
  },
});
