// Written by `make generate` from the table of providers. Do not edit.

/** providers lists the model providers that need a key, with the key's variable. */
export const providers = [
  { name: 'openai', key: 'OPENAI_API_KEY' },
  { name: 'azure', key: 'AZURE_OPENAI_API_KEY' },
  { name: 'openrouter', key: 'OPENROUTER_API_KEY' },
  { name: 'anthropic', key: 'ANTHROPIC_API_KEY' },
  { name: 'gemini', key: 'GEMINI_API_KEY' },
]
