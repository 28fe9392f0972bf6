// The runnable parts of a file: cases and their criteria, from the evaluator.
import type { CodeLens, DocumentSymbol, SuiteResult } from '../../../wasm/npm/api.js'
import type { Target, TestItem } from './protocol.ts'
import { itemID } from './records.ts'

/** Call calls a method of the evaluator. */
export type Call = <R>(method: string, params: object) => Promise<R>

type Case = SuiteResult['cases'][number]

export class Outline {
  constructor(private readonly call: Call) {}

  /** items returns the tree of a document's cases and criteria, or null if it has none. */
  async items(uri: string): Promise<TestItem | null> {
    const runnable = await this.runnable(uri).catch(() => [])
    if (runnable.length === 0) return null
    const casesById = new Map((await this.cases(uri)).map((c) => [c.id, c]))
    const symbols = await this.call<DocumentSymbol[]>('symbols', { document: uri })
    const start = { line: 0, character: 0 }
    return {
      id: uri, kind: 'suite', label: uri.split('/').pop()!, range: { start, end: start }, target: { uri },
      children: runnable.map(({ id, range }) => {
        const symbol = findSymbol(symbols, id)
        return {
          id: itemID(uri, id), kind: 'case', label: id, range: symbol?.selectionRange ?? range, target: { uri, case: id },
          children: criteria(casesById.get(id)).map(({ grader, criterion }) => ({
            id: itemID(uri, id, grader, criterion.id), kind: 'criterion', label: criterion.expected_outcome,
            range: findSymbol(symbol?.children ?? [], criterion.id)?.selectionRange, target: { uri, case: id, grader, criterion: criterion.id }, children: [],
          })),
        }
      }),
    }
  }

  /** cases returns the cases of a suite. */
  async cases(uri: string): Promise<Case[]> {
    return (await this.call<SuiteResult>('suite', { document: uri })).cases
  }

  /** runnable returns the cases that can run: those with a lens. */
  async runnable(uri: string, id?: string) {
    const lenses = await this.call<CodeLens[]>('lens', { document: uri })
    const all = lenses.filter(({ command: c }) => c.command === 'rubric.runCase').map(({ range, command: c }) => ({ range, id: (c.arguments![0] as Target).case! }))
    const matching = id ? all.filter((one) => one.id === id) : all
    if (id && matching.length === 0) throw new Error(`there is no case \`${id}\``)
    return matching
  }
}

function criteria(c: Case | undefined) {
  return (c?.evaluators ?? []).flatMap(({ name, rubrics }) => (rubrics ?? []).map((criterion) => ({ grader: name, criterion })))
}

/** findSymbol returns the symbol of a name that is nearest to the root. */
function findSymbol(symbols: DocumentSymbol[], name: string): DocumentSymbol | undefined {
  return symbols.find((s) => s.name === name) ?? symbols.map((s) => findSymbol(s.children ?? [], name)).find(Boolean)
}
