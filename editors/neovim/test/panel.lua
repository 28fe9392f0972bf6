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

-- run_lens runs the lens with a title at the cursor.
local function run_lens(title)
  soon('a lens ' .. title, function()
    for _, lens in ipairs(vim.lsp.codelens.get(vim.fn.has('nvim-0.12') == 1 and { bufnr = editing.buf } or editing.buf)) do
      local command = (lens.lens or lens).command
      if command and command.title == title then
        return true
      end
    end
  end)
  local shown
  vim.ui.select = function(choices, options, done)
    shown = vim.tbl_map(options.format_item, choices)
    for i, text in ipairs(shown) do
      if text:find(title, 1, true) then
        return done(choices[i], i)
      end
    end
  end
  vim.lsp.codelens.run()
end

test('the lens with a verdict opens the panel', function()
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  run_lens('pass, score 1')
  on_screen('# window: pass, score 1')
  vim.cmd('silent only')
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  run_lens('1 of 1 passed, 1 not run')
  on_screen('window: pass 1')
  vim.cmd('cclose')
end)
