// What records say of the items of a file, as the language server tells it.
import type { CaseRecord, Grade, GraderRecord } from '../../../wasm/npm/api.js'
import type { ItemResult } from './protocol.ts'

/** itemID names a file, a case of it, a metric of that, or a criterion. */
export function itemID(uri: string, ...path: string[]) {
  return `${uri}#${path.map(encodeURIComponent).join('/')}`
}

/** itemsOf is what a case's criteria and metrics came to, and then the case, whose verdict stands so. */
export function itemsOf(uri: string, record: CaseRecord, standing: ItemResult['state']): ItemResult[] {
  const graders = flat(record.evaluator_results)
  const unjudged = graders.flatMap((g) => [g.ungraded && `\`${g.name}\`: ${g.ungraded}`, ...(g.grades ?? []).map((one) => one.ungraded && `\`${one.id}\`: ${one.ungraded}`)]).find(Boolean)
  return [
    ...graders.flatMap((g) => (g.metric ? [measured(uri, record, g)] : (g.grades ?? []).map((one) => judged(uri, record, g, one)))),
    { id: itemID(uri, record.eval_id), state: standing, score: record.score, message: (standing === 'unknown' && unjudged) || record.reasons?.[0] },
  ]
}

function flat(graders: GraderRecord[]): GraderRecord[] {
  return graders.flatMap((g) => [g, ...flat(g.evaluator_results ?? [])])
}

function measured(uri: string, { eval_id }: CaseRecord, { name, score, ungraded, verdict, reasoning }: GraderRecord): ItemResult {
  return { id: itemID(uri, eval_id, name), state: ungraded ? 'unknown' : verdict, score: ungraded ? undefined : score, message: ungraded || reasoning }
}

/** judged is a criterion; one that is scored passes unless its gate has failed. */
function judged(uri: string, { eval_id }: CaseRecord, g: GraderRecord, { id, score, satisfied, reasoning, ungraded }: Grade): ItemResult {
  const failed = score === undefined ? !satisfied : g.gates.some((gate) => gate.id === id && !gate.met)
  return { id: itemID(uri, eval_id, g.name, id), state: ungraded ? 'unknown' : failed ? 'fail' : 'pass', score: score ?? undefined, message: ungraded || reasoning }
}
