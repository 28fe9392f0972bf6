// What a file holds that can be run: the cases of a suite or of an evalset, and their
// criteria, as the evaluator has them.
import type { CodeLens, DocumentSymbol, SuiteResult } from '../../../wasm/npm/api.js'
import type { Target, TestItem } from './protocol.ts'
import { itemID } from './records.ts'

/** Call asks the evaluator. */
export type Call = <R>(method: string, params: object) => Promise<R>

type Case = SuiteResult['cases'][number]

export class Outline {
  constructor(private readonly call: Call) {}

  /** items are a document's cases and criteria, null if it has none. */
  async items(uri: string): Promise<TestItem | null> {
    const runnable = await this.runnable(uri).catch(() => [])
    if (runnable.length === 0) return null
    const known = new Map((await this.cases(uri)).map((c) => [c.id, c]))
    const symbols = await this.call<DocumentSymbol[]>('symbols', { document: uri })
    const start = { line: 0, character: 0 }
    return {
      id: uri, kind: 'suite', label: uri.split('/').pop()!, range: { start, end: start }, target: { uri },
      children: runnable.map(({ id, range }) => {
        const shown = find(symbols, id)
        return {
          id: itemID(uri, id), kind: 'case', label: id, range: shown?.selectionRange ?? range, target: { uri, case: id },
          children: criteria(known.get(id)).map(({ grader, criterion }) => ({
            id: itemID(uri, id, grader, criterion.id), kind: 'criterion', label: criterion.expected_outcome,
            range: find(shown?.children ?? [], criterion.id)?.selectionRange, target: { uri, case: id, grader, criterion: criterion.id }, children: [],
          })),
        }
      }),
    }
  }

  /** cases are those of a suite, as they are graded. */
  async cases(uri: string): Promise<Case[]> {
    return (await this.call<SuiteResult>('suite', { document: uri })).cases
  }

  /** runnable are the cases that can be run, of a suite or of an evalset: those with a lens. */
  async runnable(uri: string, id?: string) {
    const lenses = await this.call<CodeLens[]>('lens', { document: uri })
    const all = lenses.filter(({ command: c }) => c.command === 'rubric.runCase').map(({ range, command: c }) => ({ range, id: (c.arguments![0] as Target).case! }))
    const chosen = id ? all.filter((one) => one.id === id) : all
    if (id && chosen.length === 0) throw new Error(`there is no case \`${id}\``)
    return chosen
  }
}

function criteria(c: Case | undefined) {
  return (c?.evaluators ?? []).flatMap(({ name, rubrics }) => (rubrics ?? []).map((criterion) => ({ grader: name, criterion })))
}

/** find finds a symbol by its name, the nearest to the root. */
function find(symbols: DocumentSymbol[], name: string): DocumentSymbol | undefined {
  return symbols.find((s) => s.name === name) ?? symbols.map((s) => find(s.children ?? [], name)).find(Boolean)
}
