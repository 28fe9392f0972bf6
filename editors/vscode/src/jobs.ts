// The running jobs of the server. Each is followed from start to end, no matter who started it.
import type { Progress, Started } from './protocol.ts'

/** Follower receives the progress of a job. */
export type Follower = (progress: Progress) => void

export class Jobs {
  private readonly followers = new Map<string, Follower>()
  private readonly running = new Map<string, Progress>()
  // Progress may arrive before the response that names the job.
  private starting = 0
  private earlyProgress: Progress[] = []

  /** onProgress receives the progress of every job. */
  onProgress: Follower = () => {}
  /** adopt returns a follower for a job that was started elsewhere, such as by a lens. */
  adopt: (first: Progress) => Follower = () => () => {}

  /** progress returns the total progress of all running jobs. */
  get progress() {
    let done = 0
    let total = 0
    for (const job of this.running.values()) {
      done += job.done
      total += job.total
    }
    return { jobs: this.running.size, done, total }
  }

  /** follow starts a job, follows it, and returns its last progress. */
  async follow(start: () => Promise<Started>, follow: Follower, started: (job: string) => void = () => {}): Promise<Progress> {
    let end: Promise<Progress>
    this.starting++
    try {
      const { job } = await start()
      end = new Promise((resolve) => {
        this.followers.set(job, (progress) => {
          follow(progress)
          if (progress.state !== 'running') resolve(progress)
        })
      })
      started(job)
    } finally {
      this.starting--
      this.earlyProgress.splice(0).forEach((progress) => this.receive(progress))
    }
    return end
  }

  /** receive handles progress from the server. */
  receive(progress: Progress) {
    let follower = this.followers.get(progress.job)
    if (!follower && this.starting > 0) {
      this.earlyProgress.push(progress)
      return
    }
    if (!follower) this.followers.set(progress.job, (follower = this.adopt(progress)))
    this.running.set(progress.job, progress)
    if (progress.state !== 'running') {
      this.running.delete(progress.job)
      this.followers.delete(progress.job)
    }
    follower(progress)
    this.onProgress(progress)
  }

  /** failAll ends all jobs after the server has ended, also those that wait for others. */
  failAll(why: string) {
    this.earlyProgress = []
    for (const job of [...this.followers.keys()]) this.receive({ uri: '', done: 0, total: 0, ...this.running.get(job), job, state: 'failed', message: why, results: [] })
  }
}
