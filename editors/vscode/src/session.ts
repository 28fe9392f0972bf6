// The language server's life: started when it is first needed, started anew when
// the workspace comes to be trusted.
import * as vscode from 'vscode'
import type { BaseLanguageClient, ClientCapabilities, LanguageClientOptions, State, StaticFeature } from 'vscode-languageclient'
import { selector } from './files.ts'

/** Connection is a client that is not started yet, and where its server is. */
export interface Connection {
  client: BaseLanguageClient
  where: string
}

/** Connect makes a client. It fails with a sentence for people. */
export type Connect = (options: LanguageClientOptions) => Promise<Connection>

/** Server is what the server says of itself. */
export interface Server {
  name: string
  version: string
}

/** ours are the capabilities that the protocol does not know. */
class Ours implements StaticFeature {
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
  private readonly changed = new vscode.EventEmitter<void>()
  private readonly began = new vscode.EventEmitter<BaseLanguageClient>()

  /** onChange is fired when `state` or `server` may have changed. */
  readonly onChange = this.changed.event
  /** onClient is fired with each new client before it is started, so that handlers can be put in place. */
  readonly onClient = this.began.event
  state: 'stopped' | 'starting' | 'running' | 'failed' = 'stopped'
  server?: Server
  where = ''
  /** fault is why the server could not be started. */
  fault?: string

  constructor(
    private readonly connect: Connect,
    readonly log: vscode.LogOutputChannel,
    private readonly trace: vscode.OutputChannel,
  ) {}

  /** client is the started client; the first call starts it. */
  client(): Promise<BaseLanguageClient> {
    return (this.running ??= this.start())
  }

  /** request asks the server, starting it if need be. */
  async request<R>(method: string, params: unknown): Promise<R> {
    return (await this.client()).sendRequest<R>(method, params)
  }

  /** execute has the server execute one of its commands. */
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
    this.become('stopped')
  }

  async dispose() {
    await this.stop()
    this.changed.dispose()
    this.began.dispose()
  }

  private async start() {
    this.fault = undefined
    this.become('starting')
    try {
      const { client, where } = await this.connect({
        documentSelector: selector,
        outputChannel: this.log,
        traceOutputChannel: this.trace,
        initializationOptions: { trusted: vscode.workspace.isTrusted },
        middleware: {
          // The editor tells why a command is refused; the client would tell that it is, beside it.
          executeCommand: (command, args) => this.request('workspace/executeCommand', { command, arguments: args }),
          // Trust changes settings and has the server started anew, in any order.
          workspace: { didChangeConfiguration: (sections, next) => next(sections).catch((fault) => this.log.warn(String(fault))) },
        },
      })
      this.where = where
      client.registerFeature(new Ours())
      client.onDidChangeState((e) => this.become(states[e.newState]))
      this.began.fire(client)
      await client.start()
      this.server = client.initializeResult?.serverInfo as Server
      this.log.info(`server ${this.server?.name} ${this.server?.version}, ${where}`)
      this.become('running')
      return client
    } catch (fault) {
      this.fault = fault instanceof Error ? fault.message : String(fault)
      this.log.error(this.fault)
      this.become('failed')
      throw fault
    }
  }

  private become(state: Session['state']) {
    this.state = state
    this.changed.fire()
  }
}

// The client's states, whose names would have the client loaded with this.
const states: Record<State, Session['state']> = { 1: 'stopped', 2: 'running', 3: 'starting' }
