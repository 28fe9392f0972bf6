// What is asked about all of a long text is asked a stretch at a time: the evaluator does
// one thing after the other, and what somebody types waits for what it does.
import type { LSPClient } from "@codemirror/lsp-client";
import type { Text } from "@codemirror/state";

/** size is how long a stretch is at least, in letters. */
const size = 1 << 17;

/** Take takes the answer about a stretch in, and gives the place where the next begins: after the stretch, or further on. Nothing ends it. */
type Take<Answer> = (answer: Answer, stretch: { doc: Text; from: number; to: number }) => number | undefined;

/** stretches asks the server about a document as it is, and reports whether that was so for as long as it took. */
export async function stretches<Answer>(client: LSPClient, uri: string, method: string, take: Take<Answer>): Promise<boolean> {
  client.sync();
  const file = client.workspace.getFile(uri);
  if (!file) return false;
  const { doc, version } = file, position = (at: number) => ({ line: doc.lineAt(at).number - 1, character: at - doc.lineAt(at).from });
  for (let from: number | undefined = 0; from !== undefined && from <= doc.length; ) {
    const { to } = doc.lineAt(Math.min(from + size, doc.length));
    const answer = await client.request<object, Answer | null>(method, { textDocument: { uri }, range: { start: position(from), end: position(to) } }).catch(() => null);
    if (!answer || client.workspace.getFile(uri)?.version !== version) return false;
    from = take(answer, { doc, from, to });
  }
  return true;
}
