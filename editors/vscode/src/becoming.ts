// Ordinary JSON whose text turns out to be ours gets a language of ours, and with it
// the icon. By its name alone it stays what it is.
import * as vscode from 'vscode'
import type { Session } from './session.ts'

const becoming = [
  { of: { language: 'json', pattern: '**/test_config.json' }, to: 'rubric-config' },
  { of: { language: 'jsonl', pattern: '**/*.jsonl' }, to: 'rubric-cases' },
]

/** become has a document that the server knows become ours if it is; what is none of ours has no outline. */
export async function become(document: vscode.TextDocument, session: Session) {
  const found = becoming.find(({ of }) => vscode.languages.match(of, document))
  if (!found) return
  const outline = await session.request<unknown[] | null>('textDocument/documentSymbol', { textDocument: { uri: document.uri.toString() } })
  if (outline?.length) await vscode.languages.setTextDocumentLanguage(document, found.to)
}
