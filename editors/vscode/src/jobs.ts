// What the server is running: each run is followed from its beginning to its end,
// whoever has begun it.
import type { Progress, Started } from './protocol.ts'

/** Follower hears of a job. */
export type Follower = (progress: Progress) => void

export class Jobs {
  private readonly followers = new Map<string, Follower>()
  private readonly running = new Map<string, Progress>()
  // What is told of a job may come before the answer that names it.
  private starting = 0
  private early: Progress[] = []

  /** onProgress hears of every job. */
  onProgress: Follower = () => {}
  /** adopt gives a follower to a job that was begun elsewhere, as by a lens. */
  adopt: (first: Progress) => Follower = () => () => {}

  /** underWay are how far the running jobs are, all together. */
  get underWay() {
    let done = 0
    let total = 0
    for (const job of this.running.values()) {
      done += job.done
      total += job.total
    }
    return { jobs: this.running.size, done, total }
  }

  /** begin begins a job, has it followed, and gives what was told last. */
  async begin(start: () => Promise<Started>, follow: Follower, started: (job: string) => void = () => {}): Promise<Progress> {
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
      this.early.splice(0).forEach((progress) => this.take(progress))
    }
    return end
  }

  /** take takes in what the server tells. */
  take(progress: Progress) {
    let follower = this.followers.get(progress.job)
    if (!follower && this.starting > 0) {
      this.early.push(progress)
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

  /** end ends all jobs: there is nobody left who would. */
  end(why: string) {
    for (const last of [...this.running.values()]) this.take({ ...last, state: 'failed', message: why, results: [] })
  }
}
