import assert from 'node:assert/strict'
import test, { mock } from 'node:test'
import { showAfter, Starts } from '../../src/starts.ts'

test('only a case that runs for a while is shown as running', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const shown: string[] = []
    const starts = new Starts()
    for (const id of ['quick', 'slow', 'stopped']) starts.add(id, () => shown.push(id))
    mock.timers.tick(showAfter - 1)
    starts.end('quick')
    assert.equal(shown.length, 0)
    mock.timers.tick(1)
    assert.deepEqual(shown, ['slow', 'stopped'])
    starts.add('late', () => shown.push('late'))
    starts.clear()
    mock.timers.tick(showAfter)
    assert.deepEqual(shown, ['slow', 'stopped'])
  } finally {
    mock.timers.reset()
  }
})
