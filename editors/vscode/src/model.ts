// The editor's own language model as a judge. It is asked only during a run, and the workspace stores the user's
// choice.
import * as vscode from 'vscode'
import type { Question, Reply } from './protocol.ts'

const storageKey = 'rubric.model'

export class Model {
  private chosen?: Promise<vscode.LanguageModelChat>

  constructor(private readonly memory: vscode.Memento) {}

  /** name is the id of the chosen model, or ''. */
  get name() {
    return this.memory.get<string>(storageKey, '')
  }

  /** ask sends a question of the server to the model. */
  async ask({ system, user }: Question, token: vscode.CancellationToken): Promise<Reply> {
    if (!vscode.workspace.isTrusted) throw new Error('the model is not asked: this workspace is not trusted')
    this.chosen ??= this.restore()
    this.chosen.catch(() => (this.chosen = undefined))
    const model = await this.chosen
    const prompt = `${system}\n\n${user}`
    const justification = 'A case that you run needs a judge.'
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User(prompt)], { justification }, token)
    let text = ''
    for await (const part of response.text) text += part
    const [input, output] = await Promise.all([model.countTokens(prompt, token), model.countTokens(text, token)])
    return { text, model: model.id, usage: { input, output } }
  }

  /** choose lets the user choose the model. */
  async choose(): Promise<vscode.LanguageModelChat> {
    const models = await availableModels()
    const picked = models.length === 1 ? { model: models[0] } : await vscode.window.showQuickPick(
      models.map((model) => ({ label: model.name, description: `${model.vendor}, ${model.maxInputTokens} tokens`, model })),
      { title: "Choose the Judge's Model", placeHolder: 'The model is asked only when you run a case' },
    )
    if (!picked) throw new Error('no model was chosen')
    await this.memory.update(storageKey, picked.model.id)
    this.chosen = Promise.resolve(picked.model)
    return picked.model
  }

  private async restore() {
    const id = this.name
    const stored = id ? (await availableModels()).find((model) => model.id === id) : undefined
    return stored ?? this.choose()
  }
}

async function availableModels() {
  const models = (await vscode.lm?.selectChatModels()) ?? []
  if (models.length === 0) throw new Error('this editor offers no language model')
  return models
}
