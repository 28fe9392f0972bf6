import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { atOnce, Passes, restAfter } from '../../src/passes.ts'

test('the first passes are shown at once, and the others in slices that wait for the editor', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const shown: number[] = []
  const taken: number[] = []
  const passes = new Passes(() => new Promise((resolve) => setImmediate(() => {
    taken.push(shown.length)
    resolve(0)
  })))
  const arrive = (from: number, to: number) => passes.add(Array.from({ length: to - from }, (_, i) => () => shown.push(from + i)))
  arrive(0, 3)
  assert.deepEqual(shown, [0, 1, 2])
  arrive(3, 1000)
  const rest = passes.rest()
  mock.timers.tick(restAfter - 1)
  assert.equal(shown.length, 3 + atOnce)
  mock.timers.tick(1)
  await rest
  assert.deepEqual(shown, Array.from({ length: 1000 }, (_, i) => i))
  assert.ok(taken.some((count) => count > 3 + atOnce && count < 1000), String(taken)) // it is let in meanwhile
  await passes.rest()
  assert.equal(shown.length, 1000)
  mock.timers.reset()
})
