import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('each scenario names tests that are there', () => {
  const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  const rows = read('test/SCENARIOS.md').split('\n').filter((line) => line.startsWith('|')).slice(2)
  assert.ok(rows.length > 0)
  for (const row of rows) {
    for (const named of row.split('|')[2]!.split('<br>')) {
      const [, file, name] = /^`(.+)`: (.+)$/.exec(named.trim()) ?? assert.fail(row)
      assert.ok([`'${name}'`, `ok ${name}'`].some((words) => read(file!).includes(words)), named)
    }
  }
})
