import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Jobs } from '../../src/jobs.ts'
import type { Progress } from '../../src/protocol.ts'

const progress = (job: string, state: Progress['state'], done = 0): Progress => ({ job, uri: 'file:///a', state, done, total: 2, results: [] })

test('progress that arrives before the response with the job’s name is not lost', async () => {
  const jobs = new Jobs()
  const messages: string[] = []
  const end = jobs.follow(async () => {
    jobs.receive(progress('j1', 'running'))
    jobs.receive(progress('j1', 'done', 2))
    return { job: 'j1' }
  }, (p) => messages.push(p.state))
  assert.equal((await end).state, 'done')
  assert.deepEqual(messages, ['running', 'done'])
  assert.deepEqual(jobs.progress, { jobs: 0, done: 0, total: 0 })
})

test('a job that was started elsewhere is adopted once', () => {
  const jobs = new Jobs()
  const messages: string[] = []
  let adopted = 0
  jobs.adopt = () => {
    adopted++
    return (p) => messages.push(p.state)
  }
  jobs.receive(progress('j2', 'running', 1))
  assert.deepEqual(jobs.progress, { jobs: 1, done: 1, total: 2 })
  jobs.receive(progress('j2', 'cancelled', 1))
  assert.equal(adopted, 1)
  assert.deepEqual(messages, ['running', 'cancelled'])
})

test('jobs fail when the server has ended', async () => {
  const jobs = new Jobs()
  const end = jobs.follow(async () => ({ job: 'j3' }), () => {})
  await Promise.resolve()
  jobs.receive(progress('j3', 'running'))
  jobs.failAll('the server has ended')
  const last = await end
  assert.deepEqual([last.state, last.message], ['failed', 'the server has ended'])
})

test('a job that waits for others fails too', async () => {
  const jobs = new Jobs()
  const end = jobs.follow(async () => ({ job: 'waiting' }), () => {})
  await Promise.resolve()
  jobs.failAll('the server has ended')
  assert.equal((await Promise.race([end, new Promise<Progress>((resolve) => setImmediate(resolve, progress('waiting', 'running')))])).state, 'failed')
})

test('progress before the server has ended leaves no job', async () => {
  const jobs = new Jobs()
  await assert.rejects(jobs.follow(async () => {
    jobs.receive(progress('j4', 'running'))
    jobs.failAll('the server has ended')
    throw new Error('the connection is closed')
  }, () => {}))
  assert.equal(jobs.progress.jobs, 0)
})

test('a rejected command does not affect other jobs', async () => {
  const jobs = new Jobs()
  const messages: string[] = []
  jobs.adopt = () => (p) => messages.push(p.job)
  await assert.rejects(jobs.follow(async () => {
    jobs.receive(progress('other', 'running'))
    throw new Error('refused')
  }, () => {}))
  assert.deepEqual(messages, ['other'])
})
