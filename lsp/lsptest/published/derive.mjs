// node derive.mjs OUT.json writes one JSON Schema of all LSP messages. It derives the schema
// from the types of the package vscode-languageserver-protocol, which `npm ci` installs in the
// version of the lock file; the repository contains no copy.
//
// In the declarations each message is a namespace with the constants `method` and `type`. The
// type's arguments are the parameters and the result. The script collects them in one interface
// and generates the schema of that.
import fs from 'node:fs'
import path from 'node:path'
import tjs from 'ts-json-schema-generator'
import ts from 'typescript'

const packageDir = path.resolve('node_modules/vscode-languageserver-protocol')
const builtin = new Set(['Array', 'Record', 'Partial'])
const messages = []
const names = new Set()

for (const file of fs.readdirSync(path.join(packageDir, 'lib/common')).filter((f) => f.endsWith('.d.ts'))) {
  const text = fs.readFileSync(path.join(packageDir, 'lib/common', file), 'utf8')
  walk(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
}

function walk(node) {
  if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body)) collectMessage(node.body)
  node.forEachChild(walk)
}

function collectMessage(block) {
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
  args.forEach(collectTypeNames)
}

function collectTypeNames(node) {
  if (ts.isTypeReferenceNode(node)) names.add(node.typeName.getText().split('.')[0])
  node.forEachChild(collectTypeNames)
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

// The specification is narrower than TypeScript's number and string.
const maxInteger = 2 ** 31 - 1
schema.definitions.uinteger = { type: 'integer', minimum: 0, maximum: maxInteger }
schema.definitions.integer = { type: 'integer', minimum: -maxInteger - 1, maximum: maxInteger }
for (const uri of ['URI', 'DocumentUri']) schema.definitions[uri] = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' }

fs.writeFileSync(process.argv[2], JSON.stringify(schema))
console.log(`${messages.length} types of ${JSON.parse(fs.readFileSync(path.join(packageDir, 'package.json'))).version}`)
