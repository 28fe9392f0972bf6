import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locate, skew, type Surroundings } from '../../src/locate.ts'

const surroundings = (there: string[], more: Partial<Surroundings> = {}): Surroundings => ({
  setting: '', extension: '/ext', path: '/usr/bin:/opt/bin', home: '/home/me', folder: '/work', platform: 'linux',
  executable: (file) => there.includes(file), ...more,
})

for (const [name, given, command, source] of [
  ['the setting wins', surroundings(['/own/rubric', '/ext/bin/rubric', '/opt/bin/rubric'], { setting: '/own/rubric' }), '/own/rubric', 'setting'],
  ['then what came with the extension', surroundings(['/ext/bin/rubric', '/opt/bin/rubric']), '/ext/bin/rubric', 'bundled'],
  ['then PATH', surroundings(['/opt/bin/rubric']), '/opt/bin/rubric', 'path'],
  ['a setting in the home folder', surroundings(['/home/me/bin/rubric'], { setting: '~/bin/rubric' }), '/home/me/bin/rubric', 'setting'],
  ['a setting in the workspace', surroundings(['/work/bin/rubric'], { setting: '${workspaceFolder}/bin/rubric' }), '/work/bin/rubric', 'setting'],
  ['on Windows', surroundings(['C:\\bin\\rubric.exe'], { platform: 'win32', path: 'relative;C:\\bin', extension: 'C:\\ext' }), 'C:\\bin\\rubric.exe', 'path'],
] as const) {
  test(name, () => assert.deepEqual(locate(given), { command, source }))
}

test('a setting that names no program is told, and nothing else is taken', () => {
  assert.throws(() => locate(surroundings(['/ext/bin/rubric'], { setting: '/nowhere' })), /`rubric.server.path` is `\/nowhere`, and there is no program/)
})

test('a program of the folder that one is in is not taken', () => {
  assert.throws(() => locate(surroundings(['./rubric', 'rubric', '/work/rubric'], { path: '.::bin' })), /there is no `rubric` beside the extension or on PATH/)
})

test('versions fit within one line', () => {
  assert.equal(skew('0.1.3', '0.1.0-dev'), '')
  assert.equal(skew('1.2.0', 'v1.2.9'), '')
  assert.match(skew('0.1.3', '0.2.0'), /version 0.1.3 and the server 0.2.0/)
})
