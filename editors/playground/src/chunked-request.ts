// Requests about a whole long document, one chunk at a time. The evaluator handles one request after the other, so a
// single long one would delay typing.
import type { LSPClient } from "@codemirror/lsp-client";
import type { Text } from "@codemirror/state";

/** minChunkSize is the minimal length of a chunk, in characters. */
const minChunkSize = 1 << 17;

/** HandleChunk handles the answer for a chunk and returns where the next chunk starts. It returns undefined to stop. */
type HandleChunk<Answer> = (answer: Answer, chunk: { doc: Text; from: number; to: number }) => number | undefined;

/** requestInChunks requests something about a document. It reports false if the document changed or a request failed. */
export async function requestInChunks<Answer>(client: LSPClient, uri: string, method: string, handle: HandleChunk<Answer>): Promise<boolean> {
  client.sync();
  const file = client.workspace.getFile(uri);
  if (!file) return false;
  const { doc, version } = file, position = (at: number) => ({ line: doc.lineAt(at).number - 1, character: at - doc.lineAt(at).from });
  for (let from: number | undefined = 0; from !== undefined && from <= doc.length; ) {
    const { to } = doc.lineAt(Math.min(from + minChunkSize, doc.length));
    const answer = await client.request<object, Answer | null>(method, { textDocument: { uri }, range: { start: position(from), end: position(to) } }).catch(() => null);
    if (!answer || client.workspace.getFile(uri)?.version !== version) return false;
    from = handle(answer, { doc, from, to });
  }
  return true;
}
