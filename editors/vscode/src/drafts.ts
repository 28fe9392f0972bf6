// Shows drafts of criteria as a diff. Nothing is inserted before the user keeps a draft.
import * as vscode from 'vscode'
import type { Draft } from './protocol.ts'

/** scheme is that of the documents with a draft in place. */
const scheme = 'rubric-draft'

/**
 * extension gives these documents a language of their own. Its default settings make their diffs inline: VS Code has no
 * such option for one diff, and its commands change the setting of the user for all.
 */
const extension = '.rubric-draft'

export class Drafts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this)
  private readonly shown = new Map<string, { draft: Draft; text: string }>() // by URI
  private count = 0

  /** show shows a draft as a diff with the text without it. */
  async show(draft: Draft) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(draft.uri))
    const uri = document.uri.with({ scheme, path: document.uri.path + extension, query: String(++this.count) })
    this.shown.set(uri.toString(), { draft, text: withEdits(document, draft) })
    await vscode.commands.executeCommand('vscode.diff', document.uri, uri, `Draft for ${draft.case} (${draft.origin})`, { preview: false })
  }

  provideTextDocumentContent(uri: vscode.Uri) {
    return this.shown.get(uri.toString())?.text
  }

  /** keep inserts the draft that the active editor shows. */
  async keep() {
    const { draft, close } = this.active()
    const uri = vscode.Uri.parse(draft.uri)
    const document = await vscode.workspace.openTextDocument(uri)
    if (document.version !== draft.version) throw new Error('the file has changed since the draft; generate it again')
    const edit = new vscode.WorkspaceEdit()
    for (const { range, newText } of draft.edits) edit.replace(uri, toRange(range), newText)
    await vscode.workspace.applyEdit(edit)
    await close()
    const { start } = toRange(draft.edits[0]!.range)
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) })
  }

  discard() {
    return this.active().close()
  }

  /** regenerate closes the draft and returns the argument for another one. */
  async regenerate() {
    const { draft, close } = this.active()
    await close()
    return { uri: draft.uri, case: draft.case }
  }

  dispose() {
    this.registration.dispose()
  }

  private active() {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab
    const uri = tab?.input instanceof vscode.TabInputTextDiff ? tab.input.modified.toString() : ''
    const shown = this.shown.get(uri)
    if (!shown) throw new Error('the active editor shows no draft')
    const close = async () => {
      this.shown.delete(uri)
      await vscode.window.tabGroups.close(tab!)
    }
    return { draft: shown.draft, close }
  }
}

/** withEdits returns a document's text with a draft. */
function withEdits(document: vscode.TextDocument, { edits }: Draft) {
  let text = document.getText()
  const offsets = edits.map(({ range, newText }) => ({ start: document.offsetAt(toRange(range).start), end: document.offsetAt(toRange(range).end), newText }))
  for (const { start, end, newText } of offsets.sort((a, b) => b.start - a.start)) text = text.slice(0, start) + newText + text.slice(end)
  return text
}

function toRange({ start, end }: Draft['edits'][number]['range']) {
  return new vscode.Range(start.line, start.character, end.line, end.character)
}
