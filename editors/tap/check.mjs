// node check.mjs SCHEMA FOLDER [server] checks logged sessions against the published types of LSP
// (lsp/lsptest/published generates the schema) and its rules of order. It checks both sides, or with
// `server` only the server's messages, because some editors use drafts of the protocol. It exits
// with 1 if there is a fault or no session.
import fs from 'node:fs'
import path from 'node:path'
import Ajv from 'ajv'

const [schemaFile, folder, checkedSide] = process.argv.slice(2)
const schema = JSON.parse(fs.readFileSync(schemaFile, 'utf8'))
const kinds = schema.definitions.Messages.properties
const ajv = new Ajv({ allErrors: true, strict: false, logger: false })
ajv.addSchema(schema, 'lsp')
const compiled = new Map()

/** typeErrors compares a value with its published type. The project's own methods have none. */
function typeErrors(kind, value) {
  if (!(kind in kinds)) {
    const nothing = value == null || (typeof value === 'object' && Object.keys(value).length === 0)
    return nothing || kind.startsWith('$/') || kind.startsWith('rubric/') ? [] : [`${kind}: no type is published`]
  }
  if (!compiled.has(kind)) {
    const pointer = kind.replaceAll('~', '~0').replaceAll('/', '~1')
    compiled.set(kind, ajv.compile({ $ref: `lsp#/definitions/Messages/properties/${encodeURIComponent(pointer)}` }))
  }
  const valid = compiled.get(kind)
  return valid(value) ? [] : valid.errors.slice(0, 4).map((e) => `${kind}${e.instancePath}: ${e.message} ${JSON.stringify(e.params)}`)
}

/** requiredCapabilities are the capabilities that responses to methods require. */
const requiredCapabilities = {
  hover: 'hoverProvider', codeAction: 'codeActionProvider', codeLens: 'codeLensProvider', completion: 'completionProvider',
  definition: 'definitionProvider', references: 'referencesProvider', rename: 'renameProvider', documentSymbol: 'documentSymbolProvider',
  foldingRange: 'foldingRangeProvider', inlayHint: 'inlayHintProvider', 'semanticTokens/full': 'semanticTokensProvider', diagnostic: 'diagnosticProvider',
}

/** Session checks the order of one session's messages. */
class Session {
  faults = []
  messages = 0
  #pending = { client: new Map(), server: new Map() }
  #cut = 0 // bytes of the server's incomplete message
  #idsAfterExit = new Set() // ids of requests after exit, which some editors send
  #ids = { client: new Set(), server: new Set() }
  #documents = new Map() // version, and the lines as long as only whole texts were sent
  #capabilities
  #hasShutDown = false
  #exited = false

  take(line, place) {
    const say = (fault) => {
      if (checkedSide !== 'server' || line.from === 'server') this.faults.push(`${place}: ${fault}`)
    }
    if (line.fault) return say(`${line.from}: ${line.fault}`)
    if ('exit' in line && line.exit !== null && this.#cut) say(`server: ${this.#cut} bytes at the end are not a message`)
    if ('cut' in line) return void (this.#cut = line.cut)
    // Some editors kill a server that is still exiting or writing. Then it has no status.
    if ('exit' in line) return this.#hasShutDown && line.exit ? say(`the server exits with ${line.exit} after a shutdown`) : undefined
    this.messages++
    const { from, message } = line
    if (message.jsonrpc !== '2.0') say(`${from}: it has no version`)
    if (message.method) this.#checkRequest(from, message, say)
    else this.#checkResponse(from, message, say)
  }

  #checkRequest(from, { id, method, params }, say) {
    for (const fault of typeErrors(`${method} params`, params)) say(`${from}: ${fault}`)
    if (id !== undefined) {
      if (this.#ids[from].has(id)) say(`${from}: the id ${id} is used twice`)
      this.#ids[from].add(id)
      this.#pending[from].set(id, method)
      if (this.#exited) this.#idsAfterExit.add(id)
    }
    if (from === 'server' && !this.#capabilities && !/^(window|telemetry)\/|^\$\/progress/.test(method)) say(`${method} comes before the response to initialize`)
    if (method === 'exit') this.#exited = true
    if (method === 'textDocument/didOpen') this.#documents.set(params.textDocument.uri, { version: params.textDocument.version, lines: lines(params.textDocument.text) })
    if (method === 'textDocument/didClose') this.#documents.delete(params.textDocument.uri)
    if (method === 'textDocument/didChange') this.#trackEdit(params)
    if (method === 'textDocument/publishDiagnostics') this.#checkDiagnostics(params, say)
  }

  #trackEdit({ textDocument: { uri, version }, contentChanges }) {
    const last = contentChanges.at(-1)
    this.#documents.set(uri, { version, lines: last && !last.range ? lines(last.text) : undefined })
  }

  #checkDiagnostics({ uri, version, diagnostics }, say) {
    const open = this.#documents.get(uri)
    if (version != null && open && version > open.version) say(`diagnostics of version ${version}, but the newest is ${open.version}`)
    if (open?.lines && version === open.version) for (const d of diagnostics) this.#checkRange(d.range, open.lines, say)
  }

  #checkRange({ start, end }, text, say) {
    for (const at of [start, end]) {
      const last = at.line === text.length && at.character === 0
      if (!last && (at.line >= text.length || at.character > text[at.line].length)) say(`a diagnostic at ${at.line}:${at.character}, outside of the document`)
    }
    if (end.line < start.line || (end.line === start.line && end.character < start.character)) say('a diagnostic that ends before it starts')
  }

  #checkResponse(from, message, say) {
    const asker = from === 'server' ? 'client' : 'server'
    const method = this.#pending[asker].get(message.id)
    if (!method) return say(`${from}: a response without a request, ${JSON.stringify(message.id)}`)
    this.#pending[asker].delete(message.id)
    if ('result' in message === 'error' in message) say(`${from}: ${method} must have either a result or an error`)
    if (message.error) {
      if (!Number.isInteger(message.error.code) || typeof message.error.message !== 'string') say(`${from}: ${method}: an error without its parts`)
      return undefined
    }
    for (const fault of typeErrors(`${method} result`, message.result)) say(`${from}: ${fault}`)
    if (method === 'initialize') this.#capabilities = message.result?.capabilities ?? {}
    if (method === 'shutdown') this.#hasShutDown = true
    const needs = requiredCapabilities[method.replace(/^textDocument\//, '')]
    if (from === 'server' && needs && message.result && !this.#capabilities?.[needs]) say(`${method} has a response, but ${needs} was not announced`)
    return undefined
  }

  /** end checks for missing responses. An editor that is killed during shutdown never sends exit. */
  end() {
    for (const [id, method] of this.#pending.client) {
      if (this.#exited && method !== 'shutdown' && !this.#idsAfterExit.has(id)) this.faults.push(`at the end: ${method} (${id}) has no response`)
    }
  }
}

const lines = (text) => text.split(/\r\n|\r|\n/)

let sessions = 0
let messages = 0
let faults = 0
for (const name of fs.readdirSync(folder)) {
  const session = new Session()
  const all = fs.readFileSync(path.join(folder, name), 'utf8').split('\n').slice(0, -1) // the last is empty, or cut where an editor killed the tap
  all.forEach((line, i) => session.take(JSON.parse(line), `${name}:${i + 1}`))
  session.end()
  session.faults.slice(0, 50).forEach((fault) => console.error(fault))
  sessions++
  messages += session.messages
  faults += session.faults.length
}
console.log(`${messages} messages in ${sessions} sessions, ${faults} faults`)
process.exit(faults || !messages ? 1 : 0)
