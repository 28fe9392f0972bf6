// node build.mjs bundles the extension for the desktop and the web, with the evaluator of wasm/npm (built by `make
// modules`) and the licences of all bundled packages.
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

/** unused are features of the client library that the server does not have. */
const unused = ['callHierarchy', 'colorProvider', 'declaration', 'implementation', 'inlineCompletion', 'inlineValue', 'notebook', 'signatureHelp', 'typeDefinition', 'typeHierarchy']
const noFeature = 'class { fillClientCapabilities() {} initialize() {} clear() {} getState() { return { kind: "static" } } }'

/** withoutUnused leaves them out of the bundles, and the check of the editor's version, which the manifest states. */
const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`vscode-languageclient.lib.common.(${unused.join('|')}).js$`) }, ({ path }) => {
      const names = readFileSync(path, 'utf8').matchAll(/^exports\.(\w+Feature) = \1;$/gm)
      return { contents: [...names].map(([, name]) => `exports.${name} = ${noFeature}`).join('\n') }
    })
    onLoad({ filter: /semver.functions.parse.js$/ }, () => ({ contents: 'module.exports = () => ({})' }))
    onLoad({ filter: /semver.functions.satisfies.js$/ }, () => ({ contents: 'module.exports = () => true' }))
  },
}

const common = { bundle: true, minify: true, target: 'es2022', external: ['vscode'], legalComments: 'none', logLevel: 'warning', metafile: true, plugins: [withoutUnused] }

const built = await Promise.all([
  build({ ...common, entryPoints: ['src/extension.ts'], platform: 'node', format: 'cjs', outfile: 'dist/extension.js', external: ['vscode', './client.js'] }),
  build({ ...common, entryPoints: ['src/desktop-client.ts'], platform: 'node', format: 'cjs', outfile: 'dist/client.js' }),
  build({ ...common, entryPoints: ['panel/main.ts'], platform: 'browser', format: 'iife', outfile: 'dist/case-panel.js' }),
  build({ ...common, entryPoints: ['src/browser.ts'], platform: 'browser', format: 'cjs', outfile: 'dist/browser.js' }),
  build({ ...common, entryPoints: ['src/worker.ts'], platform: 'browser', format: 'iife', outfile: 'dist/server.js', external: ['node:worker_threads'] }),
])
copyFileSync('../case-panel/case-panel.css', 'dist/case-panel.css')
copyFileSync('../../wasm/npm/dist/rubric.wasm', 'dist/rubric.wasm')

const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
const folders = [...new Set(inputs.map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean))].sort()
writeFileSync('dist/licences.txt', folders.map((folder) => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  return `=== ${name}@${version}\n\n${readFileSync(`${folder}/${licence}`, 'utf8').trim()}\n`
}).join('\n'))
