// node audit.mjs checks that the bundle contains only vscode-languageclient and its dependencies, and that npm audit
// reports nothing. It says so if the registry does not answer.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'

const own = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const direct = Object.keys(own.dependencies)
if (direct.join() !== 'vscode-languageclient') fail(`it depends on ${direct}, and should on vscode-languageclient alone`)

const closure = new Set()
collect(JSON.parse(execFileSync('npm', ['ls', '--omit=dev', '--all', '--json'], { encoding: 'utf8' })))
const bundled = fs.readFileSync('dist/licences.txt', 'utf8').match(/(?<=^=== )\S+/gm) ?? []
const stray = bundled.filter((name) => !closure.has(name))
if (!bundled.length || stray.length) fail(`bundled are ${bundled}, of which its dependencies have no ${stray}`)
console.log(`bundled: ${bundled.join(', ')}`)

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
const answer = JSON.parse(stdout || '{}')
if (!answer.auditReportVersion) console.log(`npm audit: NOT ASKED, the registry does not answer: ${answer.message ?? stderr.trim().split('\n').at(-1)}`)
else if (answer.metadata.vulnerabilities.total) fail(`npm audit: ${Object.keys(answer.vulnerabilities)}`)
else console.log(`npm audit: nothing is known against ${answer.metadata.dependencies.prod} packages`)

function collect({ dependencies = {} }) {
  for (const [name, below] of Object.entries(dependencies)) {
    closure.add(`${name}@${below.version}`)
    collect(below)
  }
}

function fail(why) {
  console.error(why)
  process.exit(1)
}
