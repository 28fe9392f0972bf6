// node build.mjs: bundles the extension for the desktop and for the web, whose
// server is the evaluator of wasm/npm (`make modules` builds it).
import { copyFileSync } from 'node:fs'
import { build } from 'esbuild'

const common = { bundle: true, minify: true, target: 'es2022', external: ['vscode'], legalComments: 'none', logLevel: 'warning' }

await Promise.all([
  build({ ...common, entryPoints: ['src/extension.ts'], platform: 'node', format: 'cjs', outfile: 'dist/extension.js' }),
  build({ ...common, entryPoints: ['src/browser.ts'], platform: 'browser', format: 'cjs', outfile: 'dist/browser.js' }),
  build({ ...common, entryPoints: ['src/worker.ts'], platform: 'browser', format: 'iife', outfile: 'dist/server.js', external: ['node:worker_threads'] }),
])
copyFileSync('../../wasm/npm/dist/rubric.wasm', 'dist/rubric.wasm')
