// Results of cases in the form of the language server.
import type { Item } from '../../../wasm/npm/api.js'
import type { ItemResult } from './protocol.ts'

/** itemID returns the id of a file, case, metric or criterion. */
export function itemID(uri: string, ...path: string[]) {
  return `${uri}#${path.map(encodeURIComponent).join('/')}`
}

/** itemsOf converts the evaluator's results. */
export function itemsOf(uri: string, items: Item[]): ItemResult[] {
  return items.map(({ path, state, score, message }) => ({ id: itemID(uri, ...path), state: state as ItemResult['state'], score, message }))
}
