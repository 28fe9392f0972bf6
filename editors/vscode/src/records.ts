// Results of cases in the form of the language server.
import type { Item } from '../../../wasm/npm/api.js'
import type { ItemResult } from './protocol.ts'

/** itemID returns the id of a case, metric or criterion, as `rubric/testItems` does. */
export function itemID(uri: string, ...path: string[]) {
  return `${uri}#${path.map((name) => name.replace(/[%/]/g, encodeURIComponent)).join('/')}`
}

/** itemsOf converts the evaluator's results of one answer. */
export function itemsOf(uri: string, items: Item[], answer: string): ItemResult[] {
  return items.map(({ path, state, score, message }) => ({
    id: itemID(uri, ...path), state: state as ItemResult['state'], score, message, ...(state !== 'pass' && answer && { answer }),
  }))
}
