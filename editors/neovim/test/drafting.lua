-- Tests of drafted rubrics: their preview, and what becomes of them.
local check, editing = require('check'), require('editing')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local lines, on_screen = editing.lines, editing.on_screen

local function press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'xt', false)
end

test('a draft is previewed, and nothing changes before it is kept', function()
  editing.open('b.eval.yaml', editing.drafty)
  editing.settle({ judge = 'offline' })
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd('RubricGenerate')
  local screen = on_screen('+    rubrics:')
  contains('Generate rubrics: derived from what the file expects; no model was asked', screen)
  contains('Keep: <CR>   Discard: q   Regenerate: r', screen)
  assert(editing.colour('+    rubrics:') ~= editing.colour('Keep: '), 'new lines have the colour of others')
  equal(editing.drafty, lines())
end)

test('a draft is generated again', function()
  local window = vim.api.nvim_get_current_win()
  press('r')
  soon('another preview', function()
    local current = vim.api.nvim_get_current_win()
    return current ~= window and vim.bo.filetype == 'diff'
  end)
  on_screen('+    rubrics:')
end)

test('a discarded draft leaves the file as it was', function()
  press('q')
  equal(false, vim.bo.modified)
  equal(editing.drafty, lines())
  equal(nil, editing.screen():match('rubrics:'))
end)

test('a code action drafts, and a kept draft is on the screen at once and keeps every byte', function()
  vim.api.nvim_win_set_cursor(0, { 3, 6 })
  editing.choose('Generate rubrics')
  vim.lsp.buf.code_action()
  on_screen('+    rubrics:')
  press('<CR>')
  on_screen('    rubrics:')
  equal(editing.buf, vim.api.nvim_get_current_buf())
  local remaining = vim.tbl_filter(function(line)
    return editing.drafty:find(line, 1, true)
  end, vim.split(lines(), '\n'))
  assert(table.concat(remaining, '\n'):find(editing.drafty, 1, true), lines())
  vim.cmd('silent undo')
  equal(editing.drafty, lines())
end)
