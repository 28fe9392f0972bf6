// Keys of providers: kept where the editor keeps secrets, given to the server when
// it opens a model, and in no setting and no log.
import * as vscode from 'vscode'
import { providers } from './providers.ts'

const prefix = 'rubric.key.'

export class Keys {
  private readonly given = new Set<string>()

  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** get is the key of a name, '' for none. */
  async get(name: string): Promise<string> {
    if (!vscode.workspace.isTrusted || !providers.some((p) => p.key === name)) return ''
    const key = (await this.secrets.get(prefix + name)) ?? ''
    if (key) this.given.add(key)
    return key
  }

  /** names are those of the keys that there are. */
  async names(): Promise<string[]> {
    const kept = await Promise.all(providers.map(async ({ key }) => ((await this.secrets.get(prefix + key)) ? key : '')))
    return kept.filter(Boolean)
  }

  async set() {
    const picked = await vscode.window.showQuickPick(providers.map(({ name, key }) => ({ label: name, description: key, key })), { title: 'Set API Key: Provider' })
    const key = picked && (await vscode.window.showInputBox({ title: picked.key, password: true, ignoreFocusOut: true, prompt: 'Kept in the secret storage of the editor' }))
    if (picked && key) await this.secrets.store(prefix + picked.key, key.trim())
  }

  async forget() {
    const names = await this.names()
    if (names.length === 0) return void vscode.window.showInformationMessage('There is no key to forget.')
    const name = await vscode.window.showQuickPick(names, { title: 'Forget API Key' })
    if (name) await this.secrets.delete(prefix + name)
    return undefined
  }

  /** hidden is a text without the keys that were given out. */
  hidden(text: string): string {
    for (const key of this.given) text = text.replaceAll(key, '•••')
    return text
  }

  /** hiding is a channel that no key is written into: the server's messages carry them. */
  hiding(channel: vscode.OutputChannel): vscode.OutputChannel {
    return {
      name: channel.name,
      append: (text) => channel.append(this.hidden(text)),
      appendLine: (text) => channel.appendLine(this.hidden(text)),
      replace: (text) => channel.replace(this.hidden(text)),
      clear: () => channel.clear(),
      show: () => channel.show(true),
      hide: () => channel.hide(),
      dispose: () => {}, // it is another's
    }
  }
}
