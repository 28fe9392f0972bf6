// The passes of a run. The editor takes two messages for each result and draws it, which takes it longer than an offline
// run takes for its cases. So the first of many passes are shown at once, like all that is wrong, and the others
// after the run, in slices: between two of them the editor does what the user asks for.

/** atOnce is the number of passes that are shown as soon as they arrive together. */
export const atOnce = 100
const slice = 400

/** restAfter is how long the others wait, in milliseconds: the editor sends a change of a row, such as of a file's verdict, after 200. */
export const restAfter = 250

export class Passes {
  private waiting: (() => void)[] = []

  /** `taken` waits until the editor has handled what it was sent. */
  constructor(private readonly taken: () => PromiseLike<unknown>) {}

  /** add shows the first of the passes that have arrived, and keeps the others. */
  add(shows: (() => void)[]) {
    shows.slice(0, atOnce).forEach((show) => show())
    this.waiting.push(...shows.slice(atOnce))
  }

  /** rest shows the others. While the editor handles a slice, the next one is sent. */
  async rest() {
    if (this.waiting.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, restAfter))
    for (let before = this.taken(); this.waiting.length > 0; ) {
      this.waiting.splice(0, slice).forEach((show) => show())
      const sent = this.taken()
      await before
      before = sent
    }
  }
}
