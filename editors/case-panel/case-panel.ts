// Draws a case and its last run, as `rubric/casePanel` answers it. Text of files and judges is only ever text.

/** CasePanel is the answer; lsp/README.md documents it. `facts` and `flips` are Markdown with strong text and code only. */
export interface CasePanel {
  item: PanelItem
  run?: { label: string }
  messages: { role: string; text: string }[]
  answer?: string
  judged: boolean
  expected?: string
  reasons: string[]
  flips: string[]
  facts: { id: string; lines: string[] }[]
  graders: { name: string; type: string; text: string; hits: string[]; misses: string[]; notes: string[] }[]
  prompts: { grader: string; system: string; user: string }[]
  runs: { time: string; target: string; judge: string; verdict: string; score: number | null; changes: string[] }[]
}

/** PanelItem is a case or a criterion with its last result. */
export interface PanelItem {
  id: string
  label: string
  target: { case?: string }
  range?: { start: { line: number; character: number } }
  children: PanelItem[]
  result?: { state: string; text: string; message?: string; stale?: boolean }
}

/** PanelAction is what the user asks for: to run the case, to choose target or judge first, or to go to an item. */
export type PanelAction = { kind: 'run' } | { kind: 'choose' } | { kind: 'reveal'; range: NonNullable<PanelItem['range']> }

/** drawCase replaces the content of an element, whose title has a level of headings. Parts that the user has opened stay open while it is the same case. */
export function drawCase(root: HTMLElement, panel: CasePanel, level: 1 | 2, act: (action: PanelAction) => void) {
  const { item, run, messages, answer, judged, expected, reasons, flips, graders, prompts, runs } = panel
  const same = root.dataset['case'] === item.id
  const open = new Set(Array.from(root.querySelectorAll('details[open]'), (d) => (d as HTMLElement).dataset['grader']))
  root.dataset['case'] = item.id
  const result = item.result
  const section = (title: string, content: Content) => (content ? element('section', {}, element(`h${level + 1}`, {}, title), content) : '')
  root.replaceChildren(
    element('header', {},
      element(`h${level}`, {}, item.label),
      element('p', { class: `verdict ${result?.state ?? ''}`, role: 'status' }, result?.text ?? 'not run yet'),
      element('p', { class: 'actions' },
        button(result ? 'Run again' : 'Run case', () => act({ kind: 'run' })),
        button(result ? 'Run again with…' : 'Run case with…', () => act({ kind: 'choose' })),
        run ? element('span', {}, `Grades ${run.label}`) : ''),
    ),
    section(result?.state === 'ungraded' ? 'Why it is ungraded' : 'Why it did not pass', reasons.length > 0 && list(reasons)),
    section('Conversation', messages.length > 0 && element('ol', {}, ...messages.map(({ role, text }) => element('li', {}, element('strong', {}, role), pre(text))))),
    section('Expected outcome', expected && element('p', { dir: 'auto' }, expected)),
    section(judged ? 'Judged answer' : 'Expected answer, not judged yet', answer && pre(answer)),
    section('Criteria', item.children.length > 0 && element('ul', { class: 'criteria' }, ...item.children.map((child) => criterion(child, panel, act)))),
    section('Graders', graders.length > 0 && element('ul', {}, ...graders.map(({ name, type, text, hits, misses, notes }) => element('li', {},
      element('strong', {}, name), ` (${type}) `, ...plain(text), outcomes('pass', hits), outcomes('fail', misses), ...notes.map((note) => element('p', { dir: 'auto' }, note)))))),
    section('What would flip it', flips.length > 0 && list(flips)),
    section('Last runs', runs.length > 0 && runsTable(runs)),
    section('Prompt to the judge', prompts.length > 0 && element('div', {}, ...prompts.map(({ grader, system, user }) => {
      const details = element('details', { 'data-grader': grader }, element('summary', {}, grader), pre(system), pre(user))
      if (same && open.has(grader)) details.setAttribute('open', '')
      return details
    }))),
  )
}

function criterion(item: PanelItem, { facts }: CasePanel, act: (action: PanelAction) => void) {
  const { result, range } = item
  const lines = facts.find(({ id }) => id === item.id)?.lines ?? []
  return element('li', {},
    range ? button(item.label, () => act({ kind: 'reveal', range })) : element('strong', {}, item.label),
    element('p', { class: `verdict ${result?.state ?? ''}`, dir: 'auto' }, result?.text ?? 'not judged yet', ...(result?.message ? [': ', ...plain(result.message)] : [])),
    lines.length > 0 && list(lines))
}

/** outcomes lists what a grader found, or missed. */
function outcomes(kind: string, lines: string[]) {
  return lines.length > 0 && element('ul', {}, ...lines.map((line) => element('li', { class: `verdict ${kind}`, dir: 'auto' }, line)))
}

/** runsTable shows the columns that have a value. Each value has the name of its column, for panels without room for columns. */
function runsTable(runs: CasePanel['runs']) {
  const rows = runs.map(({ time, target, judge, verdict, score, changes }) => [time && new Date(time).toLocaleString(), target, judge, verdict, score === null ? '' : String(Math.round(score * 1000) / 1000), changes.length > 0 && list(changes)])
  const names = ['Time', 'Graded', 'Judge', 'Verdict', 'Score', 'What changed'], columns = names.map((_, i) => i).filter((i) => rows.some((row) => row[i]))
  return element('table', {},
    element('thead', {}, element('tr', {}, ...columns.map((i) => element('th', { scope: 'col' }, names[i])))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...columns.map((i) => element('td', { 'data-name': names[i]! }, row[i]))))))
}

type Content = Node | string | false | undefined

function list(lines: string[]) {
  return element('ul', {}, ...lines.map((line) => element('li', { dir: 'auto' }, ...inline(line))))
}

function pre(text: string) {
  return element('pre', { tabindex: '0', dir: 'auto' }, text) // a keyboard can scroll it
}

function button(text: string, click: () => void) {
  const made = element('button', { type: 'button' }, text)
  made.addEventListener('click', click)
  return made
}

function element(name: string, attributes: Record<string, string>, ...content: Content[]) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...content.filter((c): c is Node | string => !!c))
  return made
}

/** inline returns a line of Markdown as nodes. */
function inline(line: string): Content[] {
  return line.split(/(\*\*.+?\*\*|`[^`]+`)/).map((part) => (part.startsWith('**') ? element('strong', {}, unescape(part.slice(2, -2))) : code(part) ?? unescape(part)))
}

/** plain returns a text as nodes, in which only backquotes have a meaning. */
function plain(text: string): Content[] {
  return text.split(/(`[^`]+`)/).map((part) => code(part) ?? part)
}

function code(part: string) {
  return /^`[^`]+`$/.test(part) ? element('code', {}, part.slice(1, -1)) : undefined
}

function unescape(text: string) {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
