// The lifecycle of the language server. It starts on first use and restarts when the workspace becomes trusted.
import * as vscode from 'vscode'
import type { BaseLanguageClient, ClientCapabilities, LanguageClientOptions, State, StaticFeature } from 'vscode-languageclient'
import { selector } from './files.ts'

/** Connection is a client before its start, with a description of where its server runs. */
export interface Connection {
  client: BaseLanguageClient
  where: string
}

/** Connect creates a client. It throws with a message for the user. */
export type Connect = (options: LanguageClientOptions) => Promise<Connection>

/** Server is the server's name and version. */
export interface Server {
  name: string
  version: string
}

/** ExperimentalCapabilities adds the client capabilities that LSP does not define. */
class ExperimentalCapabilities implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities) {
    capabilities.experimental = { ...capabilities.experimental, rubric: { ask: true, keys: true } }
  }
  initialize() {}
  getState() {
    return { kind: 'static' as const }
  }
  clear() {}
}

export class Session implements vscode.Disposable {
  private running?: Promise<BaseLanguageClient>
  private readonly changeEmitter = new vscode.EventEmitter<void>()
  private readonly clientEmitter = new vscode.EventEmitter<BaseLanguageClient>()

  /** onChange fires when `state` or `server` may have changed. */
  readonly onChange = this.changeEmitter.event
  /** onClient fires with each new client before its start, so that listeners can register handlers. */
  readonly onClient = this.clientEmitter.event
  state: 'stopped' | 'starting' | 'running' | 'failed' = 'stopped'
  server?: Server
  where = ''
  /** startError is why the server did not start. */
  startError?: string

  constructor(
    private readonly connect: Connect,
    readonly log: vscode.LogOutputChannel,
    private readonly trace: vscode.OutputChannel,
  ) {}

  /** client returns the started client. The first call starts it. */
  client(): Promise<BaseLanguageClient> {
    return (this.running ??= this.start())
  }

  /** request sends a request, and starts the server if necessary. */
  async request<R>(method: string, params: unknown): Promise<R> {
    return (await this.client()).sendRequest<R>(method, params)
  }

  /** execute executes a command of the server. */
  execute<R>(command: string, argument: unknown): Promise<R> {
    return this.request('workspace/executeCommand', { command, arguments: [argument] })
  }

  async restart() {
    await this.stop()
    await this.client()
  }

  async stop() {
    const running = this.running
    this.running = undefined
    const client = await running?.catch(() => undefined)
    await client?.dispose()
    this.setState('stopped')
  }

  async dispose() {
    await this.stop()
    this.changeEmitter.dispose()
    this.clientEmitter.dispose()
  }

  private async start() {
    this.startError = undefined
    this.setState('starting')
    try {
      const { client, where } = await this.connect({
        documentSelector: selector,
        outputChannel: this.log,
        traceOutputChannel: this.trace,
        initializationOptions: { trusted: vscode.workspace.isTrusted },
        middleware: {
          // The editor shows a command's error; the client would show it again.
          executeCommand: (command, args) => this.request('workspace/executeCommand', { command, arguments: args }),
          // A change of trust changes settings and restarts the server, in any order.
          workspace: { didChangeConfiguration: (sections, next) => next(sections).catch((error) => this.log.warn(String(error))) },
        },
      })
      this.where = where
      client.registerFeature(new ExperimentalCapabilities())
      client.onDidChangeState((e) => this.setState(states[e.newState]))
      this.clientEmitter.fire(client)
      await client.start()
      this.server = client.initializeResult?.serverInfo as Server
      this.log.info(`server ${this.server?.name} ${this.server?.version}, ${where}`)
      this.setState('running')
      return client
    } catch (error) {
      this.startError = error instanceof Error ? error.message : String(error)
      this.log.error(this.startError)
      this.setState('failed')
      throw error
    }
  }

  private setState(state: Session['state']) {
    this.state = state
    this.changeEmitter.fire()
  }
}

// Numbers, because the names would load the client library here.
const states: Record<State, Session['state']> = { 1: 'stopped', 2: 'running', 3: 'starting' }
