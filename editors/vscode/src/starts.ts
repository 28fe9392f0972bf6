// The cases of a run that have started and not ended. An icon that spins is drawn anew all the time, which takes the
// editor longer than an offline run takes for its cases: only a case that runs for a while gets one.

/** showAfter is how long a case runs before it is shown as running, in milliseconds: longer than results wait for others. */
export const showAfter = 1000

export class Starts {
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>()

  /** add shows the start of a case later, unless the case ends before. */
  add(id: string, show: () => void) {
    this.end(id)
    this.timers.set(id, setTimeout(show, showAfter))
  }

  /** end forgets a case that has ended. */
  end(id: string) {
    clearTimeout(this.timers.get(id))
    this.timers.delete(id)
  }

  /** clear forgets all cases at the end of the run. */
  clear() {
    this.timers.forEach(clearTimeout)
    this.timers.clear()
  }
}
