// node check.mjs SCHEMA FOLDER [server]: holds the sessions that a tap has written
// into a folder against the protocol's published types (lsp/lsptest/published makes
// the schema) and its rules of order: both sides, or, with `server`, what the server
// says alone, since some editors' own messages are of drafts of the protocol. Exits
// 1 if there is a fault, or no session.
import fs from 'node:fs'
import path from 'node:path'
import Ajv from 'ajv'

const [schemaFile, folder, whose] = process.argv.slice(2)
const schema = JSON.parse(fs.readFileSync(schemaFile, 'utf8'))
const kinds = schema.definitions.Messages.properties
const ajv = new Ajv({ allErrors: true, strict: false, logger: false })
ajv.addSchema(schema, 'lsp')
const compiled = new Map()

/** ill says how a value is not of its published type; our own methods have none. */
function ill(kind, value) {
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

/** answered are the capabilities that answers of methods rest on. */
const answered = {
  hover: 'hoverProvider', codeAction: 'codeActionProvider', codeLens: 'codeLensProvider', completion: 'completionProvider',
  definition: 'definitionProvider', references: 'referencesProvider', rename: 'renameProvider', documentSymbol: 'documentSymbolProvider',
  foldingRange: 'foldingRangeProvider', inlayHint: 'inlayHintProvider', 'semanticTokens/full': 'semanticTokensProvider', diagnostic: 'diagnosticProvider',
}

/** Conversation holds one session's messages against the rules of order. */
class Conversation {
  faults = []
  messages = 0
  #asked = { client: new Map(), server: new Map() }
  #cut = 0 // bytes of a message of the server's that has no end
  #late = new Set() // ids of what some editors go on asking after they have said exit
  #ids = { client: new Set(), server: new Set() }
  #documents = new Map() // version and, while only whole texts were sent, lines
  #capabilities
  #shut = false
  #gone = false

  take(line, place) {
    const say = (fault) => {
      if (whose !== 'server' || line.from === 'server') this.faults.push(`${place}: ${fault}`)
    }
    if (line.fault) return say(`${line.from}: ${line.fault}`)
    if ('exit' in line && line.exit !== null && this.#cut) say(`server: ${this.#cut} bytes at the end are no message`)
    if ('cut' in line) return void (this.#cut = line.cut)
    // An editor that is in a hurry kills a server that ends, or writes: then it has no status.
    if ('exit' in line) return this.#shut && line.exit ? say(`the server exits with ${line.exit} after a shutdown`) : undefined
    this.messages++
    const { from, message } = line
    if (message.jsonrpc !== '2.0') say(`${from}: it has no version`)
    if (message.method) this.#said(from, message, say)
    else this.#answer(from, message, say)
  }

  #said(from, { id, method, params }, say) {
    for (const fault of ill(`${method} params`, params)) say(`${from}: ${fault}`)
    if (id !== undefined) {
      if (this.#ids[from].has(id)) say(`${from}: the id ${id} is used twice`)
      this.#ids[from].add(id)
      this.#asked[from].set(id, method)
      if (this.#gone) this.#late.add(id)
    }
    if (from === 'server' && !this.#capabilities && !/^(window|telemetry)\/|^\$\/progress/.test(method)) say(`${method} comes before the answer to initialize`)
    if (method === 'exit') this.#gone = true
    if (method === 'textDocument/didOpen') this.#documents.set(params.textDocument.uri, { version: params.textDocument.version, lines: lines(params.textDocument.text) })
    if (method === 'textDocument/didClose') this.#documents.delete(params.textDocument.uri)
    if (method === 'textDocument/didChange') this.#edited(params)
    if (method === 'textDocument/publishDiagnostics') this.#published(params, say)
  }

  #edited({ textDocument: { uri, version }, contentChanges }) {
    const last = contentChanges.at(-1)
    this.#documents.set(uri, { version, lines: last && !last.range ? lines(last.text) : undefined })
  }

  #published({ uri, version, diagnostics }, say) {
    const open = this.#documents.get(uri)
    if (version != null && open && version > open.version) say(`diagnostics of version ${version}, of which ${open.version} is the newest`)
    if (open?.lines && version === open.version) for (const d of diagnostics) this.#within(d.range, open.lines, say)
  }

  #within({ start, end }, text, say) {
    for (const at of [start, end]) {
      const last = at.line === text.length && at.character === 0
      if (!last && (at.line >= text.length || at.character > text[at.line].length)) say(`a diagnostic at ${at.line}:${at.character}, outside of the document`)
    }
    if (end.line < start.line || (end.line === start.line && end.character < start.character)) say('a diagnostic that ends before it starts')
  }

  #answer(from, message, say) {
    const asker = from === 'server' ? 'client' : 'server'
    const method = this.#asked[asker].get(message.id)
    if (!method) return say(`${from}: an answer to nothing that was asked, ${JSON.stringify(message.id)}`)
    this.#asked[asker].delete(message.id)
    if ('result' in message === 'error' in message) say(`${from}: ${method} is answered by neither or both of a result and an error`)
    if (message.error) {
      if (!Number.isInteger(message.error.code) || typeof message.error.message !== 'string') say(`${from}: ${method}: an error without its parts`)
      return undefined
    }
    for (const fault of ill(`${method} result`, message.result)) say(`${from}: ${fault}`)
    if (method === 'initialize') this.#capabilities = message.result?.capabilities ?? {}
    if (method === 'shutdown') this.#shut = true
    const needs = answered[method.replace(/^textDocument\//, '')]
    if (from === 'server' && needs && message.result && !this.#capabilities?.[needs]) say(`${method} is answered, and ${needs} was not offered`)
    return undefined
  }

  /** end is after the last message. An editor that is killed while it waits for the answer to its shutdown never exits. */
  end() {
    for (const [id, method] of this.#asked.client) {
      if (this.#gone && method !== 'shutdown' && !this.#late.has(id)) this.faults.push(`at the end: ${method} (${id}) was never answered`)
    }
  }
}

const lines = (text) => text.split(/\r\n|\r|\n/)

let sessions = 0
let messages = 0
let faults = 0
for (const name of fs.readdirSync(folder)) {
  const talk = new Conversation()
  const all = fs.readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean)
  all.forEach((line, i) => talk.take(JSON.parse(line), `${name}:${i + 1}`))
  talk.end()
  talk.faults.slice(0, 50).forEach((fault) => console.error(fault))
  sessions++
  messages += talk.messages
  faults += talk.faults.length
}
console.log(`${messages} messages in ${sessions} sessions, ${faults} faults`)
process.exit(faults || !messages ? 1 : 0)
