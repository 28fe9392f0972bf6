import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Jobs } from '../../src/jobs.ts'
import type { Progress } from '../../src/protocol.ts'

const progress = (job: string, state: Progress['state'], done = 0): Progress => ({ job, uri: 'file:///a', state, done, total: 2, results: [] })

test('what is told of a job before the answer that names it is not lost', async () => {
  const jobs = new Jobs()
  const heard: string[] = []
  const end = jobs.begin(async () => {
    jobs.take(progress('j1', 'running'))
    jobs.take(progress('j1', 'done', 2))
    return { job: 'j1' }
  }, (p) => heard.push(p.state))
  assert.equal((await end).state, 'done')
  assert.deepEqual(heard, ['running', 'done'])
  assert.deepEqual(jobs.underWay, { jobs: 0, done: 0, total: 0 })
})

test('a job that was begun elsewhere is adopted, once', () => {
  const jobs = new Jobs()
  const heard: string[] = []
  let adopted = 0
  jobs.adopt = () => {
    adopted++
    return (p) => heard.push(p.state)
  }
  jobs.take(progress('j2', 'running', 1))
  assert.deepEqual(jobs.underWay, { jobs: 1, done: 1, total: 2 })
  jobs.take(progress('j2', 'cancelled', 1))
  assert.equal(adopted, 1)
  assert.deepEqual(heard, ['running', 'cancelled'])
})

test('a server that is gone ends what it ran', async () => {
  const jobs = new Jobs()
  const end = jobs.begin(async () => ({ job: 'j3' }), () => {})
  await Promise.resolve()
  jobs.take(progress('j3', 'running'))
  jobs.end('the server has ended')
  const last = await end
  assert.deepEqual([last.state, last.message], ['failed', 'the server has ended'])
})

test('a command that is refused leaves the others their followers', async () => {
  const jobs = new Jobs()
  const heard: string[] = []
  jobs.adopt = () => (p) => heard.push(p.job)
  await assert.rejects(jobs.begin(async () => {
    jobs.take(progress('other', 'running'))
    throw new Error('refused')
  }, () => {}))
  assert.deepEqual(heard, ['other'])
})
