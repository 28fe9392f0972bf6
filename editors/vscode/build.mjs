// node build.mjs: bundles the extension for the desktop and for the web.
import { build } from 'esbuild'

const common = {
  bundle: true, minify: true, format: 'cjs', target: 'es2022', external: ['vscode'], legalComments: 'none', logLevel: 'warning',
}
await build({ ...common, entryPoints: ['src/extension.ts'], platform: 'node', outfile: 'dist/extension.js' })
