// API keys of providers. They live in the editor's secret storage. The server gets a key when it opens a model;
// settings and logs contain none.
import * as vscode from 'vscode'
import { providers } from './providers.ts'

const prefix = 'rubric.key.'

export class Keys {
  private readonly issuedKeys = new Set<string>()

  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** get returns a key, or ''. */
  async get(name: string): Promise<string> {
    if (!vscode.workspace.isTrusted || !providers.some((p) => p.key === name)) return ''
    const key = (await this.secrets.get(prefix + name)) ?? ''
    if (key) this.issuedKeys.add(key)
    return key
  }

  /** names returns the names of the stored keys. */
  async names(): Promise<string[]> {
    const storedKeys = await Promise.all(providers.map(async ({ key }) => ((await this.secrets.get(prefix + key)) ? key : '')))
    return storedKeys.filter(Boolean)
  }

  async set() {
    const picked = await vscode.window.showQuickPick(providers.map(({ name, key }) => ({ label: name, description: key, key })), { title: 'Set API Key: Provider' })
    const key = picked && (await vscode.window.showInputBox({ title: picked.key, password: true, ignoreFocusOut: true, prompt: "The key is stored in the editor's secret storage" }))
    if (picked && key) await this.secrets.store(prefix + picked.key, key.trim())
  }

  async remove() {
    const names = await this.names()
    if (names.length === 0) return void vscode.window.showInformationMessage('No key is stored.')
    const name = await vscode.window.showQuickPick(names, { title: 'Forget API Key' })
    if (name) await this.secrets.delete(prefix + name)
    return undefined
  }

  /** redact replaces all keys that the server has received. */
  redact(text: string): string {
    for (const key of this.issuedKeys) text = text.replaceAll(key, '•••')
    return text
  }

  /** redactingChannel returns an output channel without keys. The server's messages contain them. */
  redactingChannel(channel: vscode.OutputChannel): vscode.OutputChannel {
    return {
      name: channel.name,
      append: (text) => channel.append(this.redact(text)),
      appendLine: (text) => channel.appendLine(this.redact(text)),
      replace: (text) => channel.replace(this.redact(text)),
      clear: () => channel.clear(),
      show: () => channel.show(true),
      hide: () => channel.hide(),
      dispose: () => {}, // the original owns it
    }
  }
}
