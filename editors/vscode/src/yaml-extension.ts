// The YAML extension checks eval files with the language `yaml` too. This shows a notice once.
import * as vscode from 'vscode'

const noticeKey = 'rubric.yaml.told'
const yamlExtension = 'redhat.vscode-yaml'

/** offerToLeaveFiles offers to change the language of such files. */
export async function offerToLeaveFiles(document: vscode.TextDocument, memory: vscode.Memento) {
  if (document.languageId !== 'yaml' || memory.get(noticeKey) || !vscode.extensions.getExtension(yamlExtension)) return
  await memory.update(noticeKey, true)
  const accept = 'Leave Eval Files to Rubric'
  const picked = await vscode.window.showInformationMessage(
    'The YAML extension checks this eval file too and reports some problems twice. It ignores files with the language “Rubric Eval”.',
    accept, 'Keep Both',
  )
  if (picked !== accept) return
  const files = vscode.workspace.getConfiguration('files')
  const associations = { ...files.get<Record<string, string>>('associations'), [filePattern(document)]: 'rubric-eval' }
  await files.update('associations', associations, vscode.ConfigurationTarget.Workspace)
}

/** filePattern matches the files in the document's `evals` folder, or the document alone. */
function filePattern({ uri }: vscode.TextDocument) {
  return /\/evals\//.test(uri.path) ? `**/evals/**/*${uri.path.slice(uri.path.lastIndexOf('.'))}` : `**/${uri.path.split('/').pop()}`
}
