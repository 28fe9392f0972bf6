// The lifecycle of the language server. It starts on first use and restarts when the workspace becomes trusted.
import * as vscode from 'vscode'
import type { BaseLanguageClient, ClientCapabilities, CloseAction, ErrorAction, LanguageClientOptions, StaticFeature } from 'vscode-languageclient'
import { selector, selects } from './files.ts'
import { Lenses } from './lenses.ts'

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

/** resultsEvery is the pause between two drawings of a run's results, in milliseconds. */
const resultsEvery = 250

/** ExperimentalCapabilities adds the client capabilities that LSP does not define. */
class ExperimentalCapabilities implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities) {
    capabilities.experimental = { ...capabilities.experimental, rubric: { ask: true, keys: true, choose: true, preview: true, resultsEvery } }
  }
  initialize() {}
  getState() {
    return { kind: 'static' as const }
  }
  clear() {}
}

/** maxCrashes is the number of crashes within `crashPeriod` milliseconds from which the server is not restarted. */
const maxCrashes = 5
const crashPeriod = 3 * 60_000

export class Session implements vscode.Disposable {
  private crashes: number[] = [] // their times
  private attempt = 0 // counts starts and stops: what an earlier client reports is ignored
  private running?: Promise<BaseLanguageClient>
  private readonly changeEmitter = new vscode.EventEmitter<void>()
  private readonly viewEmitter = new vscode.EventEmitter<vscode.TextDocument>()
  private readonly clientEmitter = new vscode.EventEmitter<BaseLanguageClient>()
  private readonly lenses = new Lenses((document) => this.viewEmitter.fire(document))

  /** onChange fires when `state` or `server` may have changed. */
  readonly onChange = this.changeEmitter.event
  /** onView fires when the editor asks what to show of a document, such as after edits, and for each open one when the server knows something new. */
  readonly onView = this.viewEmitter.event
  /** onClient fires with each new client before its start, so that listeners can register handlers. */
  readonly onClient = this.clientEmitter.event
  state: 'stopped' | 'starting' | 'running' | 'restarting' | 'crashed' | 'failed' = 'stopped'
  server?: Server
  where = ''
  /** fault is why the server did not start, or how it ended last. */
  fault?: string

  /** isBroken reports whether there is no server although one is needed. */
  get isBroken() {
    return this.state === 'failed' || this.state === 'crashed'
  }

  constructor(
    private readonly connect: Connect,
    readonly log: vscode.LogOutputChannel,
    private readonly trace: vscode.OutputChannel,
  ) {}

  /** client returns the started client. The first call starts it. */
  client(): Promise<BaseLanguageClient> {
    return (this.running ??= this.start('starting'))
  }

  /** request sends a request, and starts the server if necessary. */
  async request<R>(method: string, params: unknown): Promise<R> {
    return (await this.client()).sendRequest<R>(method, params)
  }

  /** execute executes a command of the server. */
  execute<R>(command: string, argument: unknown): Promise<R> {
    return this.request('workspace/executeCommand', { command, arguments: [argument] })
  }

  /** showError shows why a command failed, and returns the reason. */
  showError(error: unknown) {
    const message = error instanceof Error ? error.message : String(error)
    this.show(message)
    return message
  }

  /** show shows and logs a message of a type of the protocol, with the next step. Without a button, the editor would cut it after a line. */
  show(message: string, type: 1 | 2 | 3 = 1) {
    const [title, command] = type === 1 && !vscode.workspace.isTrusted ? ['Manage Trust', 'workbench.trust.manage']
      : type === 1 && /rubric\.(target|judge)/.test(message) ? ['Choose…', 'rubric.target.choose'] : ['Show Output', 'rubric.output']
    const [level, showMessage] = ([['error', 'showErrorMessage'], ['warn', 'showWarningMessage'], ['info', 'showInformationMessage']] as const)[type - 1]!
    this.log[level](message)
    void vscode.window[showMessage](`Rubric: ${message.replace(/^rubric: /, '')}`, title!).then((choice) => choice && vscode.commands.executeCommand(command!))
  }

  async restart() {
    this.crashes = []
    await this.stop()
    await this.client()
  }

  async stop() {
    const running = this.running
    this.running = undefined
    this.attempt++
    const client = await running?.catch(() => undefined)
    await client?.dispose()
    this.setState('stopped')
  }

  async dispose() {
    await this.stop()
    this.changeEmitter.dispose()
    this.viewEmitter.dispose()
    this.clientEmitter.dispose()
    this.lenses.dispose()
  }

  private async start(state: 'starting' | 'restarting'): Promise<BaseLanguageClient> {
    const attempt = ++this.attempt
    let connected = false
    let started = false
    let ended = false
    this.setState(state)
    try {
      const { client, where } = await this.connect({
        documentSelector: selector(),
        outputChannel: this.log,
        traceOutputChannel: this.trace,
        initializationOptions: { trusted: vscode.workspace.isTrusted },
        errorHandler: {
          error: () => ({ action: errorActionContinue, handled: true }),
          // The client's own restart gives up on a server that ends again while it starts.
          closed: () => {
            ended = true
            if (started && attempt === this.attempt) this.restartAfterCrash().catch(() => {})
            return { action: closeActionDoNotRestart, handled: true }
          },
        },
        initializationFailedHandler: () => false,
        middleware: {
          provideCodeLenses: async (document, token) => this.lenses.provide(await this.client(), document, token),
          executeCommand: (command, args) => this.request('workspace/executeCommand', { command, arguments: args }).catch((error) => ({ refused: this.showError(error) })),
          // A change of trust changes settings and restarts the server, in any order.
          workspace: { didChangeConfiguration: (sections, next) => next(sections).catch((error) => this.log.warn(String(error))) },
        },
      })
      this.where = where
      client.registerFeature(new ExperimentalCapabilities())
      // The client would write a level and a time of its own, and show errors.
      for (const level of ['error', 'warn', 'info', 'debug'] as const) client[level] = (message, data) => this.log[level](message, ...(data === undefined ? [] : [data]))
      client.onNotification('window/showMessage', ({ message, type }: { message: string; type: 1 | 2 | 3 }) => this.show(message, type))
      this.clientEmitter.fire(client)
      connected = true
      await client.start()
      if (ended) throw new Error()
      client.onRequest('workspace/codeLens/refresh', () => this.refresh(client))
      started = true
      this.server = client.initializeResult?.serverInfo as Server
      this.log.info(`server ${this.server?.name} ${this.server?.version}, ${where}`)
      this.setState('running')
      return client
    } catch (error) {
      // A server that ends while it starts may fail a write before the client knows of its end.
      if (connected && state === 'restarting' && attempt === this.attempt) return this.restartAfterCrash()
      this.fault = ended ? 'the server ended while it started' : error instanceof Error ? error.message : String(error)
      this.log.error(this.fault)
      this.setState('failed')
      throw new Error(this.fault)
    }
  }

  /** refresh updates all views. The editor asks only for the lenses that it shows. */
  private refresh(client: BaseLanguageClient) {
    const documents = vscode.workspace.textDocuments.filter(selects)
    const feature = client.getFeature('textDocument/codeLens')
    for (const provider of new Set(documents.map((document) => feature.getProvider(document)))) provider?.onDidChangeCodeLensEmitter.fire()
    documents.forEach((document) => this.viewEmitter.fire(document))
  }

  /** restartAfterCrash starts the server that has ended again, unless it has ended too often. */
  private async restartAfterCrash() {
    const now = Date.now()
    this.crashes = [...this.crashes.filter((time) => now - time < crashPeriod), now]
    this.fault = `the server ended unexpectedly at ${new Date(now).toLocaleTimeString()}`
    this.log.error(this.fault)
    if (this.crashes.length < maxCrashes) return (this.running = this.start('restarting'))
    this.fault = `the server ended ${maxCrashes} times within ${crashPeriod / 60_000} minutes`
    this.running = Promise.reject(new Error(this.fault)) // until the user restarts it
    this.running.catch(() => {})
    this.setState('crashed')
    return this.running
  }

  private setState(state: Session['state']) {
    this.state = state
    this.changeEmitter.fire()
  }
}

// Numbers of the client library, whose names would load it here.
const errorActionContinue: ErrorAction = 1
const closeActionDoNotRestart: CloseAction = 1
