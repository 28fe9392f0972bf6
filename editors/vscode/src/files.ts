// Which files are eval files, as far as a name tells. Ordinary YAML in a folder
// of evals stays YAML: the server says nothing of a text that is none of ours.

/** languages are those that are ours alone, of files with cases. */
export const languages = ['rubric-eval', 'rubric-evalset', 'rubric-cases']

/** shared are files of other languages that may be eval files. */
const shared = [
  { language: 'yaml', pattern: '**/evals/**/*.{yaml,yml}' },
  { language: 'yaml', pattern: '**/*.eval.{yaml,yml}' },
  { language: 'yaml', pattern: '**/.agentv/*.{yaml,yml}' },
  { language: 'json', pattern: '**/*.evalset.json' },
  { language: 'json', pattern: '**/test_config.json' },
  { language: 'jsonl', pattern: '**/evals/**/*.jsonl' },
  { language: 'jsonl', pattern: '**/*.eval.jsonl' },
]

/** selector picks the documents that the server is told of. */
export const selector = [...languages, 'rubric-config'].map((language) => ({ language }) as { language: string; pattern?: string }).concat(shared)

/** runnable are the files that the test explorer looks into. */
export const runnable = ['**/*.eval.{yaml,yml,jsonl}', '**/evals/**/*.{yaml,yml,jsonl}', '**/*.evalset.json']
