// Which files are eval files, by their names. YAML in a folder `evals` stays YAML; the server ignores it unless its
// text is an eval file.
import * as vscode from 'vscode'

/** languages are the extension's own languages. */
const languages = ['rubric-eval', 'rubric-evalset', 'rubric-cases', 'rubric-config']

/** shared are file patterns of other languages that may be eval files, or files that belong to them. */
const shared = [
  { language: 'yaml', pattern: '**/evals/**/*.{yaml,yml}' },
  { language: 'yaml', pattern: '**/*.eval.{yaml,yml}' },
  { language: 'yaml', pattern: '**/.agentv/*.{yaml,yml}' },
  { language: 'yaml', pattern: '**/*.labels.{yaml,yml}' },
  { language: 'yaml', pattern: '**/targets.{yaml,yml}' },
  { language: 'yaml', pattern: '**/.rubric.yaml' },
  { language: 'yaml', pattern: '**/promptfooconfig.{yaml,yml}' },
  { language: 'json', pattern: '**/*.{eval,evalset,evalset_result,test}.json' },
  { language: 'json', pattern: '**/{test_config,eval_config,promptfooconfig}.json' },
  { language: 'jsonl', pattern: '**/evals/**/*.jsonl' },
  { language: 'jsonl', pattern: '**/*.eval.jsonl' },
]

/** selector selects the documents that the client sends to the server: files and new texts, but no revisions of source control. */
export function selector() {
  const schemes = new Set(['file', 'untitled', ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)])
  const filters: { language: string; pattern?: string }[] = [...languages.map((language) => ({ language })), ...shared]
  return [...schemes].flatMap((scheme) => filters.map((filter) => ({ ...filter, scheme })))
}

/** selects reports whether the client sends a document to the server. */
export function selects(document: vscode.TextDocument) {
  return vscode.languages.match(selector(), document) > 0
}

/** runnable are the file patterns of the test explorer. */
export const runnable = ['**/*.eval.{yaml,yml,json,jsonl}', '**/evals/**/*.{yaml,yml,jsonl}', '**/*.evalset.json', '**/promptfooconfig.{yaml,yml,json}']

/** isEvalName reports whether a file has the name of one of them. */
export function isEvalName(path: string) {
  return /\.(eval\.(ya?ml|jsonl?)|evalset\.json)$|\/evals\/.*\.(ya?ml|jsonl)$|\/promptfooconfig\.(ya?ml|json)$/.test(path)
}
