// node counting.mjs LOG [judge]: a target, or a judge that finds every criterion
// satisfied, that notes each time it is asked.
import fs from 'node:fs'

const [log, judge] = process.argv.slice(2)
fs.appendFileSync(log, judge ? 'judged\n' : 'answered\n')
if (judge) {
  const { user } = JSON.parse(fs.readFileSync(0, 'utf8'))
  const checks = [...user.matchAll(/^- `([^`]+)` \(yes\/no\)/gm)].map(([, id]) => ({ id, satisfied: true, reasoning: 'so it is' }))
  console.log(JSON.stringify({ checks, overall_reasoning: 'fine' }))
} else {
  console.log('The refund window is 30 days, and good morning.')
}
