// Gives a JSON file that is an eval file the extension's language, and with it the icon. The name alone does not
// decide.
import * as vscode from 'vscode'
import type { Session } from './session.ts'

const languageByFile = [
  { selector: { language: 'json', pattern: '**/test_config.json' }, language: 'rubric-config' },
  { selector: { language: 'jsonl', pattern: '**/*.jsonl' }, language: 'rubric-cases' },
]

/** setRubricLanguage changes the language of a document that the server knows as an eval file. Other documents have no outline. */
export async function setRubricLanguage(document: vscode.TextDocument, session: Session) {
  const match = languageByFile.find(({ selector }) => vscode.languages.match(selector, document))
  if (!match) return
  const outline = await session.request<unknown[] | null>('textDocument/documentSymbol', { textDocument: { uri: document.uri.toString() } })
  if (outline?.length) await vscode.languages.setTextDocumentLanguage(document, match.language)
}
