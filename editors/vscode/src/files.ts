// Which files are eval files, by their names. YAML in a folder `evals` stays YAML; the server ignores it unless its
// text is an eval file.

/** languages are the extension's own languages of files with cases. */
export const languages = ['rubric-eval', 'rubric-evalset', 'rubric-cases']

/** shared are file patterns of other languages that may be eval files. */
const shared = [
  { language: 'yaml', pattern: '**/evals/**/*.{yaml,yml}' },
  { language: 'yaml', pattern: '**/*.eval.{yaml,yml}' },
  { language: 'yaml', pattern: '**/.agentv/*.{yaml,yml}' },
  { language: 'json', pattern: '**/*.evalset.json' },
  { language: 'json', pattern: '**/test_config.json' },
  { language: 'jsonl', pattern: '**/evals/**/*.jsonl' },
  { language: 'jsonl', pattern: '**/*.eval.jsonl' },
]

/** selector selects the documents that the client sends to the server. */
export const selector = [...languages, 'rubric-config'].map((language) => ({ language }) as { language: string; pattern?: string }).concat(shared)

/** runnable are the file patterns of the test explorer. */
export const runnable = ['**/*.eval.{yaml,yml,jsonl}', '**/evals/**/*.{yaml,yml,jsonl}', '**/*.evalset.json']
