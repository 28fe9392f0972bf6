import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findServer, versionWarning, type SearchContext } from '../../src/find-server.ts'

const searchContext = (fixture: string[], more: Partial<SearchContext> = {}): SearchContext => ({
  setting: '', extension: '/ext', path: '/usr/bin:/opt/bin', home: '/home/me', folder: '/work', platform: 'linux',
  isExecutable: (file) => fixture.includes(file), ...more,
})

for (const [name, given, command, source] of [
  ['the setting wins', searchContext(['/own/rubric', '/ext/bin/rubric', '/opt/bin/rubric'], { setting: '/own/rubric' }), '/own/rubric', 'setting'],
  ['then what came with the extension', searchContext(['/ext/bin/rubric', '/opt/bin/rubric']), '/ext/bin/rubric', 'bundled'],
  ['then PATH', searchContext(['/opt/bin/rubric']), '/opt/bin/rubric', 'path'],
  ['a setting in the home folder', searchContext(['/home/me/bin/rubric'], { setting: '~/bin/rubric' }), '/home/me/bin/rubric', 'setting'],
  ['a setting in the workspace', searchContext(['/work/bin/rubric'], { setting: '${workspaceFolder}/bin/rubric' }), '/work/bin/rubric', 'setting'],
  ['on Windows', searchContext(['C:\\bin\\rubric.exe'], { platform: 'win32', path: 'relative;C:\\bin', extension: 'C:\\ext' }), 'C:\\bin\\rubric.exe', 'path'],
] as const) {
  test(name, () => assert.deepEqual(findServer(given), { command, source }))
}

test('a setting that is not a program is an error without fallback', () => {
  assert.throws(() => findServer(searchContext(['/ext/bin/rubric'], { setting: '/nowhere' })), /`rubric.server.path` is `\/nowhere`, which is not a program/)
})

test('relative folders on PATH are skipped', () => {
  assert.throws(() => findServer(searchContext(['./rubric', 'rubric', '/work/rubric'], { path: '.::bin' })), /no `rubric` is bundled with the extension or on PATH/)
})

test('versions with the same minor release match', () => {
  assert.equal(versionWarning('0.1.3', '0.1.0-dev'), '')
  assert.equal(versionWarning('1.2.0', 'v1.2.9'), '')
  assert.match(versionWarning('0.1.3', '0.2.0'), /version 0.1.3 and the server 0.2.0/)
})
