// Results of a file's cases, as the language server reports them.
import type { Item } from '../../../wasm/npm/api.js'
import type { ItemResult } from './protocol.ts'

/** itemID names a file, a case of it, a metric of that, or a criterion. */
export function itemID(uri: string, ...path: string[]) {
  return `${uri}#${path.map(encodeURIComponent).join('/')}`
}

/** itemsOf gives the evaluator's results the ids of a file's items. */
export function itemsOf(uri: string, items: Item[]): ItemResult[] {
  return items.map(({ path, state, score, message }) => ({ id: itemID(uri, ...path), state: state as ItemResult['state'], score, message }))
}
