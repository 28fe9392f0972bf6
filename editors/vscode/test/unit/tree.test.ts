import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as vscode from 'vscode'
import type { TestItem } from '../../src/protocol.ts'
import { Tree } from '../../src/tree.ts'

const uri = 'file:///a.eval.yaml'
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 9 } })

const node = (kind: TestItem['kind'], id: string, line: number, children: TestItem[] = [], more?: boolean): TestItem =>
  ({ id: `${uri}${id}`, kind, label: id, range: range(line), target: { uri }, children, more })
const file = (...cases: TestItem[]) => node('suite', '', 0, cases)
const testCase = (id: string, line: number) => node('case', id, line, [node('criterion', `${id}/good`, line + 1)])
const large = (id: string, line: number, ...criteria: TestItem[]) => node('case', id, line, criteria, true)

/** editor makes items that write down what is changed of them. */
function editor() {
  const changes: string[] = []
  const createItem = (id: string) => {
    const children = new Map<string, vscode.TestItem>()
    const note = (what: string) => changes.push(`${what} ${id.slice(uri.length)}`.trim())
    return new Proxy({
      id,
      children: {
        get size() { return children.size },
        get: (child: string) => children.get(child),
        add: (child: vscode.TestItem) => (note(`add ${child.id.slice(uri.length)} to`), children.set(child.id, child)),
        delete: (child: string) => (note(`delete ${child.slice(uri.length)} from`), children.delete(child)),
        forEach: (visit: (child: vscode.TestItem) => void) => children.forEach((child) => visit(child)),
        [Symbol.iterator]: () => children[Symbol.iterator](),
      },
    }, {
      set: (target, key, value) => (note(String(key)), Reflect.set(target, key, value)),
    }) as unknown as vscode.TestItem
  }
  const tree = new Tree(createItem, (range) => range as unknown as vscode.Range)
  const root = createItem(uri)
  /** update returns the changes that it makes, without those of new items before they are added. */
  const update = (now: TestItem, item = root) => {
    changes.length = 0
    tree.update(item, now, () => {})
    return [...changes]
  }
  return { tree, root, update }
}

test('an edit changes only the items that it is about', () => {
  const { tree, root, update } = editor()
  update(file(testCase('#a', 1), testCase('#b', 5)))
  const [first] = [...root.children].map(([, item]) => item)
  assert.deepEqual(update(file(testCase('#a', 1), testCase('#b', 5))), [])
  assert.deepEqual(update(file(testCase('#a', 1), testCase('#b', 6))), ['range #b', 'range #b/good'])
  const renamed = testCase('#a', 1)
  renamed.children[0]!.label = 'better'
  assert.deepEqual(update(file(renamed, testCase('#b', 6))), ['label #a/good'])
  assert.deepEqual(update(file(testCase('#b', 6), renamed)), ['sortText #b', 'sortText #a'])
  assert.deepEqual(update(file(renamed)), ['delete #b from', 'sortText #a'])
  assert.equal(tree.get(`${uri}#b/good`), undefined)
  assert.equal([...root.children][0]![1], first) // whose results the editor keeps
  assert.deepEqual(update(file(renamed, testCase('#c', 9))).filter((change) => /^(add|delete)/.test(change)), ['add #c/good to #c', 'add #c to'])
})

test('the children of a case in a large file are there once they are asked for', () => {
  const { tree, root, update } = editor()
  update(file(testCase('#a', 1), testCase('#b', 5)))
  assert.ok(update(file(large('#a', 1), large('#b', 5), large('#c', 9))).includes('delete #a/good from #a')) // it has become large
  assert.deepEqual([...root.children].map(([, item]) => [item.canResolveChildren, item.children.size]), [[true, 0], [true, 0], [true, 0]])
  const second = tree.get(`${uri}#b`)!
  update(large('#b', 5, node('criterion', '#b/good', 6)), second)
  assert.deepEqual(update(file(large('#a', 1), large('#b', 5), large('#c', 10))), ['range #c'])
  assert.equal(second.children.size, 1)
})
