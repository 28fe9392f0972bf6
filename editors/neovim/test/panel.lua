-- Tests of the panel of the case at the cursor.
local check, editing = require('check'), require('editing')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local on_screen = editing.on_screen

local two = [==[
evalcases:
  - id: window
    expected_outcome: Names the window
    input: Can I send it back?
    expected_output: The window is 30 days.
    rubrics:
      - { id: days, expected_outcome: Mentions "30 days" }
      - { id: label, expected_outcome: Mentions "prepaid label" }
  - id: greeting
    expected_outcome: Greets
    input: Good evening to you
    expected_output: Hello
    rubrics: [{ id: hello, expected_outcome: Mentions "Hello" }]]==]

test(':RubricCase shows the case at the cursor', function()
  editing.open('panel.eval.yaml', two)
  editing.settle({ judge = 'offline' })
  vim.api.nvim_win_set_cursor(0, { 5, 0 })
  vim.cmd('RubricCase')
  local screen = on_screen('# window')
  contains('expected answers · offline judge', screen)
  contains('Expected answer', screen)
  contains('What the judge of rubric is asked', screen)
  equal(editing.buf, vim.api.nvim_get_current_buf())
end)

test('one command later the panel has grades, reasons and what would flip the verdict', function()
  vim.cmd('RubricRun')
  local screen = on_screen('# window: fail, score 0.5')
  contains('Answer, as judged', screen)
  contains('✓ Mentions "30 days": satisfied', screen)
  contains('✗ Mentions "prepaid label": not satisfied', screen)
  contains('`label` satisfied gives score 1', screen)
  assert(editing.colour('✓ Mentions') ~= editing.colour('✗ Mentions'), 'a failure looks like a pass')
end)

test('the panel follows the cursor and shows what changed between runs', function()
  vim.api.nvim_win_set_cursor(0, { 11, 0 })
  vim.api.nvim_exec_autocmds('CursorMoved', { buffer = editing.buf })
  on_screen('# greeting')
  vim.api.nvim_win_set_cursor(0, { 5, 0 })
  vim.api.nvim_buf_set_lines(editing.buf, 4, 5, false, { '    expected_output: 30 days, and a prepaid label.' })
  editing.changed()
  on_screen('# window: fail, score 0.5 (stale)')
  vim.cmd('wincmd l')
  vim.cmd('normal r')
  on_screen('# window: pass, score 1')
  contains('`label` from not satisfied to satisfied', editing.screen())
  vim.cmd('normal q')
  equal(editing.buf, vim.api.nvim_get_current_buf())
  vim.cmd('silent only')
end)
