// What a run would do, in words.
import type { Plan } from './protocol.ts'

/** planSummary says whom a run would ask, how often, and the first error and note. */
export function planSummary({ cases, target, judge, questions, programs, errors, notes = [] }: Plan) {
  return [summary(cases.length, target, judge, questions, programs), ...errors.slice(0, 1), ...notes.slice(0, 1)].join('; ')
}

/** planLines says the same of each case, with all errors and notes. */
export function planLines({ cases, target, judge, questions, programs, errors, notes = [] }: Plan) {
  return [
    summary(cases.length, target, judge, questions, programs),
    ...cases.map((c) => `  ${c.case}: ${c.graders.map((g) => (g.criteria ? `${g.name} (${count(g.criteria, 'criterion', 'criteria')})` : g.name)).join(', ')}`),
    ...errors,
    ...notes,
  ]
}

function summary(cases: number, target: string, judge: string, questions: number, programs: number) {
  return `${count(cases, 'case')} would be answered by ${target} and judged by ${judge}: ${count(questions, 'question')}, ${count(programs, 'program')}`
}

function count(n: number, one: string, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`
}
