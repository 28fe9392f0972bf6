// The editor's own model as a judge. It is asked when a case is run that somebody
// wants run, and who it is is remembered for the workspace.
import * as vscode from 'vscode'
import type { Question, Reply } from './protocol.ts'

const remembered = 'rubric.model'

export class Model {
  private chosen?: Promise<vscode.LanguageModelChat>

  constructor(private readonly memory: vscode.Memento) {}

  /** name is who is remembered, '' for nobody. */
  get name() {
    return this.memory.get<string>(remembered, '')
  }

  /** ask asks the model for what the server's question asks. */
  async ask({ system, user }: Question, token: vscode.CancellationToken): Promise<Reply> {
    if (!vscode.workspace.isTrusted) throw new Error('no model is asked: this workspace is not trusted')
    this.chosen ??= this.recall()
    this.chosen.catch(() => (this.chosen = undefined))
    const model = await this.chosen
    const prompt = `${system}\n\n${user}`
    const justification = 'A case is judged that you run.'
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User(prompt)], { justification }, token)
    let text = ''
    for await (const part of response.text) text += part
    const [input, output] = await Promise.all([model.countTokens(prompt, token), model.countTokens(text, token)])
    return { text, model: model.id, usage: { input, output } }
  }

  /** choose lets a person choose who is asked from now on. */
  async choose(): Promise<vscode.LanguageModelChat> {
    const models = await available()
    const picked = models.length === 1 ? { model: models[0] } : await vscode.window.showQuickPick(
      models.map((model) => ({ label: model.name, description: `${model.vendor}, ${model.maxInputTokens} tokens`, model })),
      { title: 'The Model That Judges', placeHolder: 'It is asked only when you run a case' },
    )
    if (!picked) throw new Error('no model was chosen')
    await this.memory.update(remembered, picked.model.id)
    this.chosen = Promise.resolve(picked.model)
    return picked.model
  }

  private async recall() {
    const id = this.name
    const known = id ? (await available()).find((model) => model.id === id) : undefined
    return known ?? this.choose()
  }
}

async function available() {
  const models = (await vscode.lm?.selectChatModels()) ?? []
  if (models.length === 0) throw new Error('this editor offers no language model')
  return models
}
