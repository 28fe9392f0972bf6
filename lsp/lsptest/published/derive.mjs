// node derive.mjs OUT.json: one JSON Schema of every message of the protocol,
// from the types that its authors publish as vscode-languageserver-protocol.
// Nothing of theirs is committed: `npm ci` brings the version in the lock file.
//
// Each message is a constant `method` and a constant `type` in one namespace of
// the declarations; the type's arguments are its parameters and its result.
// They are gathered in one interface, of which a generator makes the schema.
import fs from 'node:fs'
import path from 'node:path'
import tjs from 'ts-json-schema-generator'
import ts from 'typescript'

const home = path.resolve('node_modules/vscode-languageserver-protocol')
const builtin = new Set(['Array', 'Record', 'Partial'])
const messages = []
const names = new Set()

for (const file of fs.readdirSync(path.join(home, 'lib/common')).filter((f) => f.endsWith('.d.ts'))) {
  const text = fs.readFileSync(path.join(home, 'lib/common', file), 'utf8')
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
}

function visit(node) {
  if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body)) gather(node.body)
  node.forEachChild(visit)
}

function gather(block) {
  let method, type
  for (const { declarationList } of block.statements.filter(ts.isVariableStatement)) {
    for (const d of declarationList.declarations) {
      if (d.name.getText() === 'method' && d.type && ts.isLiteralTypeNode(d.type)) method = d.type.literal.text
      if (d.name.getText() === 'type' && d.type && ts.isTypeReferenceNode(d.type)) type = d.type
    }
  }
  if (!method || !type) return
  const kind = type.typeName.getText()
  const args = type.typeArguments ?? []
  const params = kind.endsWith('0') ? [] : args.slice(0, 1)
  const results = kind.includes('RequestType') ? args.slice(params.length, params.length + 1) : []
  messages.push(...params.map((t) => [`${method} params`, t]), ...results.map((t) => [`${method} result`, t]))
  args.forEach(name)
}

function name(node) {
  if (ts.isTypeReferenceNode(node)) names.add(node.typeName.getText().split('.')[0])
  node.forEachChild(name)
}

const fields = messages
  .filter(([, type]) => !['void', 'never'].includes(type.getText()))
  .map(([key, type]) => `  ${JSON.stringify(key)}: ${type.getText()}\n`)
const imports = [...names].filter((n) => !builtin.has(n)).join(', ')
const source = path.resolve('node_modules/.messages.ts')
const config = path.resolve('node_modules/.messages.json')
fs.writeFileSync(source, `import type { ${imports} } from 'vscode-languageserver-protocol'\nexport interface Messages {\n${fields.join('')}}\n`)
fs.writeFileSync(config, JSON.stringify({
  compilerOptions: { module: 'node16', moduleResolution: 'node16', target: 'es2022', strict: true, skipLibCheck: true, types: [] },
  files: [source],
}))
const schema = tjs.createGenerator({
  path: source, tsconfig: config, type: 'Messages', expose: 'all', topRef: true, skipTypeCheck: true,
  additionalProperties: false, jsDoc: 'none', encodeRefs: false,
}).createSchema('Messages')

// What TypeScript calls number and string the specification has narrower.
const most = 2 ** 31 - 1
schema.definitions.uinteger = { type: 'integer', minimum: 0, maximum: most }
schema.definitions.integer = { type: 'integer', minimum: -most - 1, maximum: most }
for (const uri of ['URI', 'DocumentUri']) schema.definitions[uri] = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' }

fs.writeFileSync(process.argv[2], JSON.stringify(schema))
console.log(`${messages.length} types of ${JSON.parse(fs.readFileSync(path.join(home, 'package.json'))).version}`)
