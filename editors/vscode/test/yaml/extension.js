// The YAML extension as npm has it: its language server, for the documents that the extension selects. Schemas of the
// network are off.
'use strict'
const path = require('node:path')
const { realpathSync } = require('node:fs')
const { LanguageClient, TransportKind } = require('vscode-languageclient/node')

const program = path.join(realpathSync(__dirname), '../workbench/node_modules/yaml-language-server/out/server/src/server.js')
const client = new LanguageClient('yaml', 'YAML Support', { module: program, transport: TransportKind.ipc }, {
  documentSelector: [{ language: 'yaml' }, { language: 'dockercompose' }, { language: 'github-actions-workflow' }, { pattern: '*.y(a)ml' }],
  synchronize: { configurationSection: ['yaml', 'http', '[yaml]', 'editor', 'files'] },
})

exports.activate = () => client.start()
exports.deactivate = () => client.stop()
