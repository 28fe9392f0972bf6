-- Tests of diagnostics, hover, completion, fixes and hints.
local check, editing = require('check'), require('editing')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local write, open, lines, sync, document = editing.write, editing.open, editing.lines, editing.sync, editing.document
local floating, found, choose, screen, changed = editing.floating, editing.found, editing.choose, editing.screen, editing.changed
local client = require('rubric.client')

test('an eval file keeps the YAML filetype and has a server', function()
  open('a.eval.yaml', editing.faulty)
  equal('yaml.rubric', vim.bo.filetype)
end)

test('other YAML has no server', function()
  vim.cmd('new ' .. write('docker-compose.yaml', 'services: {}'))
  equal('yaml', vim.bo.filetype)
  equal(0, #client.clients(vim.api.nvim_get_current_buf()))
  vim.cmd('bwipeout')
end)

test('the text decides about names that other tools use too', function()
  vim.fn.mkdir(editing.folder .. '/evals', 'p')
  for _, row in ipairs({
    { 'a.yaml\nprompts: [Hi]\ntests:\n- vars: {}\n  assert: []', false },
    { 'b.yaml\n# ours\nevalcases: []', true },
    { 'c.yaml\n- id: one\n  criteria: Is polite', true },
    { 'd.yaml\na: 1', false },
    { 'e.jsonl\n{"id": "one", "input": "Hi"}', true },
    { 'e.yaml\nname: settings of e.jsonl', true },
    { 'f.jsonl\n{"level": "info"}', false },
    { 'x.test.json\n{"name": "other"}', false },
    { 'y.test.json\n{"eval_set_id": "mine", "eval_cases": []}', true },
  }) do
    local lines = vim.split(row[1], '\n')
    vim.cmd('split ' .. write('evals/' .. lines[1], table.concat(lines, '\n', 2)))
    equal({ lines[1], row[2] }, { lines[1], vim.bo.filetype:find('%.rubric$') ~= nil })
    vim.cmd('bwipeout')
  end
end)

test('a file is an eval file from the time it is written as one', function()
  vim.cmd('split ' .. editing.folder .. '/evals/new.yaml')
  equal('yaml', vim.bo.filetype)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'evalcases: []' })
  vim.cmd('silent write')
  equal('yaml.rubric', vim.bo.filetype)
  vim.cmd('bwipeout')
end)

test('a misspelt key has a diagnostic with its span', function()
  local d = soon('the finding', function()
    return found('unknown-key')[1]
  end)
  equal({ 9, 8, 9, 14 }, { d.lnum, d.col, d.end_lnum, d.end_col })
  contains('did you mean `weight`', d.message)
end)

test('hover is shown', function()
  vim.api.nvim_win_set_cursor(0, { 13, 10 })
  vim.lsp.buf.hover()
  floating('`required`')
end)

test('completion offers missing keys', function()
  vim.api.nvim_buf_set_lines(editing.buf, 13, 13, false, { '      - id: brief', '        wei' })
  local offered = sync('textDocument/completion', { textDocument = document(), position = { line = 14, character = 11 } })
  local labels = vim.tbl_map(function(item)
    return item.label
  end, offered.items or offered)
  assert(vim.tbl_contains(labels, 'weight'), vim.inspect(labels))
  vim.api.nvim_buf_set_lines(editing.buf, 13, 15, false, {})
end)

test('a fix changes the text, and undo reverts it', function()
  soon('the finding', function()
    return found('unknown-key')[1]
  end)
  vim.api.nvim_win_set_cursor(0, { 10, 9 })
  choose('weight')
  vim.lsp.buf.code_action()
  soon('the fix', function()
    return lines():find('        weight: 3', 1, true)
  end)
  soon('no finding', function()
    return #found('unknown-key') == 0
  end)
  vim.cmd('silent undo')
  soon('the finding again', function()
    return #found('unknown-key') == 1
  end)
  vim.cmd('silent redo')
  soon('no finding again', function()
    return #found('unknown-key') == 0
  end)
end)

test('hints appear next to the criteria', function()
  changed()
  soon('hints', function()
    return screen():find('75 %', 1, true)
  end)
end)
