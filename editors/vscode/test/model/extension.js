// A language model for tests: it finds every criterion satisfied, or, once a file
// `thinking` is in the workspace, tells that it is asked, and goes on thinking until
// it is cancelled, which it tells too.
'use strict'
const vscode = require('vscode')
const { existsSync, writeFileSync } = require('node:fs')

const info = { id: 'obliging', name: 'Obliging', family: 'test', version: '1', maxInputTokens: 10000, maxOutputTokens: 1000, capabilities: {} }

exports.activate = () => {
  vscode.lm.registerLanguageModelChatProvider('test', {
    provideLanguageModelChatInformation: () => [info],
    provideTokenCount: (_model, text) => String(text).split(/\s+/).length,
    async provideLanguageModelChatResponse(_model, messages, _options, progress, token) {
      const folder = vscode.workspace.workspaceFolders[0].uri.fsPath
      if (existsSync(`${folder}/thinking`)) {
        const cancelled = new Promise((resolve) => token.onCancellationRequested(resolve))
        writeFileSync(`${folder}/asked`, '')
        await cancelled
        writeFileSync(`${folder}/cancelled`, '')
        throw new vscode.CancellationError()
      }
      const prompt = messages.flatMap((m) => m.content).map((part) => part.value ?? '').join('')
      const checks = [...prompt.matchAll(/^- `([^`]+)` \(yes\/no\)/gm)].map(([, id]) => ({ id, satisfied: true, reasoning: 'so it is' }))
      progress.report(new vscode.LanguageModelTextPart(JSON.stringify({ checks, overall_reasoning: 'fine' })))
    },
  })
}
