// The items of the test explorer, made equal to the server's by difference: the editor sends each change of an item to
// its window.
import type * as vscode from 'vscode'
import type { TestItem } from './protocol.ts'

/** Visit receives an item and the server's. */
type Visit = (item: vscode.TestItem, now: TestItem) => void

export class Tree {
  private readonly items = new Map<string, vscode.TestItem>() // all with a server item, by id
  private readonly serverItems = new WeakMap<vscode.TestItem, TestItem>()

  constructor(
    private readonly create: (id: string, label: string, uri?: vscode.Uri) => vscode.TestItem,
    private readonly toRange: (range: NonNullable<TestItem['range']>) => vscode.Range,
  ) {}

  get(id: string) {
    return this.items.get(id)
  }

  /** of returns the server's item of an item, if it was loaded. */
  of(item: vscode.TestItem) {
    return this.serverItems.get(item)
  }

  /** update makes an item and those below it equal to the server's, and visits each. The children of a case that the server leaves out stay, if they were asked for. */
  update(item: vscode.TestItem, now: TestItem, visit: Visit) {
    const was = this.serverItems.get(item)
    this.items.set(now.id, item)
    this.serverItems.set(item, now)
    if (now.kind !== 'suite' && item.label !== now.label) item.label = now.label
    if (now.range && JSON.stringify(was?.range) !== JSON.stringify(now.range)) item.range = this.toRange(now.range)
    if (now.more && !item.canResolveChildren) item.canResolveChildren = true
    if (!now.more || now.children.length > 0 || !was?.more) this.updateChildren(item, now.children, visit)
    visit(item, now)
  }

  private updateChildren(item: vscode.TestItem, children: TestItem[], visit: Visit) {
    const ids = new Set(children.map(({ id }) => id))
    for (const [id, child] of item.children) {
      if (ids.has(id)) continue
      this.forget(child)
      item.children.delete(id)
    }
    children.forEach((child, i) => {
      const existing = item.children.get(child.id)
      const row = existing ?? this.create(child.id, child.label, item.uri)
      const place = String(i).padStart(6, '0')
      if (row.sortText !== place) row.sortText = place
      this.update(row, child, visit)
      if (!existing) item.children.add(row)
    })
  }

  /** forget removes an item and all below it from the index. */
  forget(item: vscode.TestItem) {
    this.items.delete(item.id)
    item.children.forEach((child) => this.forget(child))
  }
}
