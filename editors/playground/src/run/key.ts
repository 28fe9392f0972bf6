// The key of a model's server. It is in memory, as what a field holds; in this tab's
// storage only if somebody asks for that; and in nothing else.

const place = "rubric-endpoint";

/** Kept is what somebody had kept for a session. */
export interface Kept {
  provider: string;
  address: string;
  model: string;
  key: string;
}

/** keepForSession keeps until the tab is closed; without anything it forgets. */
export function keepForSession(what?: Kept): void {
  try {
    if (what) sessionStorage.setItem(place, JSON.stringify(what));
    else sessionStorage.removeItem(place);
  } catch {
    // Where the browser keeps nothing, nothing is kept.
  }
}

/** keptForSession is what was kept. */
export function keptForSession(): Kept | undefined {
  try {
    const { provider, address, model, key } = JSON.parse(sessionStorage.getItem(place) ?? "{}") as Partial<Kept>;
    return provider && address ? { provider, address, model: model ?? "", key: key ?? "" } : undefined;
  } catch {
    return undefined;
  }
}
