// The YAML extension checks eval files too that are plain YAML to the editor.
// Where both would report, that is said once.
import * as vscode from 'vscode'

const told = 'rubric.yaml.told'
const yaml = 'redhat.vscode-yaml'

/** meet tells of a file that both look at. */
export async function meet(document: vscode.TextDocument, memory: vscode.Memento) {
  if (document.languageId !== 'yaml' || memory.get(told) || !vscode.extensions.getExtension(yaml)) return
  await memory.update(told, true)
  const ours = 'Leave Eval Files to Rubric'
  const picked = await vscode.window.showInformationMessage(
    'The YAML extension checks this eval file too, so some faults are reported twice. Files that are of the language “Rubric Eval” it leaves alone.',
    ours, 'Keep Both',
  )
  if (picked !== ours) return
  const files = vscode.workspace.getConfiguration('files')
  const associations = { ...files.get<Record<string, string>>('associations'), [pattern(document)]: 'rubric-eval' }
  await files.update('associations', associations, vscode.ConfigurationTarget.Workspace)
}

/** pattern is of the files in the document's folder of evals. */
function pattern({ uri }: vscode.TextDocument) {
  return /\/evals\//.test(uri.path) ? `**/evals/**/*${uri.path.slice(uri.path.lastIndexOf('.'))}` : `**/${uri.path.split('/').pop()}`
}
