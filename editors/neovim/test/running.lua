-- Tests of runs and their results.
local check, editing = require('check'), require('editing')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local open, lines, sync, document = editing.open, editing.lines, editing.sync, editing.document
local floating, settle, screen, changed = editing.floating, editing.settle, editing.screen, editing.changed
local client = require('rubric.client')

test(':RubricDryRun shows the plan and runs nothing', function()
  vim.api.nvim_win_set_cursor(0, { 8, 0 })
  vim.cmd('RubricDryRun')
  soon('the plan', function()
    return (editing.shown .. vim.fn.execute('messages')):find('judged by `offline`: 0 questions', 1, true)
  end)
  equal({}, require('rubric').results(vim.uri_from_bufnr(editing.buf)))
end)

test(':RubricRun runs the case at the cursor', function()
  editing.messages = {}
  vim.cmd('RubricRun')
  contains('1 of 1 cases run', soon('the end', function()
    return editing.messages[1]
  end))
  editing.on_screen('ungraded: ')
  soon('one grade', function()
    return vim.deep_equal({ 1, 1 }, { select(2, screen():gsub('✓', '')), select(2, screen():gsub('  satisfied', '')) })
  end)
end)

test('results differ in colour in every background and colour scheme', function()
  for _, scheme in ipairs({ 'default', 'blue', 'desert', 'peachpuff', 'default' }) do
    vim.o.background = scheme == 'peachpuff' and 'light' or 'dark'
    vim.cmd('colorscheme ' .. scheme)
    local seen = {}
    for _, text in ipairs({ 'pass', 'fail', 'borderline' }) do
      local link = vim.api.nvim_get_hl_by_name(require('rubric.grades').group(text), true)
      assert(link.foreground and not seen[link.foreground], scheme .. ' shows ' .. text .. ' as ' .. vim.inspect(link))
      seen[link.foreground] = true
    end
  end
  vim.o.background = 'dark'
end)

test('an edit makes a grade stale', function()
  vim.api.nvim_buf_set_lines(editing.buf, 8, 9, false, { '        expected_outcome: Mentions 31 days' })
  changed()
  soon('a stale grade', function()
    return screen():find('satisfied (stale)', 1, true) and screen():find('✓*', 1, true)
  end)
  vim.cmd('silent undo')
end)

test('a code lens runs the file', function()
  local all = sync('textDocument/codeLens', { textDocument = document() })
  local titles = {}
  for _, lens in ipairs(all) do
    titles[lens.command.title] = lens.command
  end
  editing.messages = {}
  client.execute(editing.buf, titles['Run file'].command, titles['Run file'].arguments[1])
  local message = soon('the end', function()
    return editing.messages[1]
  end)
  contains('1 of 1 cases run', message)
  contains('Some need a model: setup(', message) -- "Thanks the customer"
end)

test(':RubricResults fills the quickfix list', function()
  vim.cmd('RubricResults!')
  local list = soon('a list', function()
    local all = vim.fn.getqflist()
    return #all > 0 and all
  end)
  equal(3, list[1].lnum)
  vim.cmd('cclose')
  contains('refund: ', list[1].text)
  contains('Mentions 30 days: pass', list[2].text)
end)

test(':RubricResults float shows a floating window', function()
  vim.cmd('RubricResults float')
  floating('Mentions 30 days: pass')
end)

test('positions have the form of neotest positions', function()
  local tree
  require('rubric').positions(editing.buf, function(all)
    tree = all
  end)
  soon('positions', function()
    return tree
  end)
  equal({ 'file', 'test', 'assertion' }, { tree[1].type, tree[2][1].type, tree[2][2][1].type })
  equal('refund', tree[2][1].name)
end)

test('case ids are completed', function()
  soon('the id', function()
    return vim.deep_equal({ 'refund' }, vim.fn.getcompletion('RubricRun re', 'cmdline'))
  end)
end)

test('an unknown case id is an error that names the nearest id', function()
  editing.messages = {}
  vim.cmd('RubricRun refunt')
  contains('did you mean `refund`', soon('a word', function()
    return editing.messages[1]
  end))
end)

test('the user\'s ask function judges', function()
  if vim.fn.has('nvim-0.10') == 0 then
    equal(nil, require('rubric.ask').ask_function())
    return
  end
  open('c.eval.yaml', (editing.faulty:gsub('weigth', 'weight')))
  settle({ judge = 'editor' })
  vim.g.answer = vim.json and vim.json.encode({
    checks = {
      { id = 'window', satisfied = true, reasoning = 'the test says so' },
      { id = 'polite', satisfied = false, reasoning = 'no thanks' },
    },
    overall_reasoning = 'by the test',
  }) or ''
  editing.messages = {}
  vim.cmd('RubricRun refund')
  contains('1 of 1 cases run', soon('the end', function()
    return editing.messages[1]
  end))
  assert((vim.g.asked or 0) >= 1, 'nobody asked')
  editing.on_screen('not satisfied: no thanks')
end)

test('what files name runs once they are trusted', function()
  editing.write('targets.yaml', "targets: [{ name: prod, provider: cli, command_template: 'touch ran; echo 30 days' }]")
  local ran = editing.folder .. '/ran'
  open('named.eval.yaml', 'execution: { target: prod }\n' .. (editing.faulty:gsub('weigth', 'weight')))
  settle({ judge = 'offline' })
  editing.messages = {}
  vim.cmd('RubricDryRun')
  soon('the plan', function()
    return (editing.shown .. vim.fn.execute('messages')):find('answered by `prod`', 1, true)
  end)

  local function run()
    editing.messages = {}
    vim.cmd('RubricRun refund')
    return soon('the end', function()
      return editing.messages[1]
    end)
  end
  local questions, answer = {}, 2
  vim.fn.confirm = function(question)
    questions[#questions + 1] = question
    return answer
  end
  vim.cmd('messages clear')
  editing.messages, editing.shown = {}, ''
  vim.cmd('RubricRun refund')
  local function all_messages()
    return editing.shown .. vim.fn.execute('messages') .. table.concat(editing.messages, '\n')
  end
  soon('the reason', function()
    return all_messages():find('you have not allowed the target `prod`', 1, true)
  end)
  sync('workspace/executeCommand', { command = 'rubric.dryRun', arguments = { { uri = vim.uri_from_bufnr(editing.buf) } } }) -- what was sent before has arrived
  equal(1, select(2, all_messages():gsub('you have not allowed the target `prod`', '')))
  equal(0, vim.fn.filereadable(ran))
  answer = 1
  contains('1 of 1 cases run', run())
  equal(1, vim.fn.filereadable(ran))
  contains('runs `touch`', questions[2])

  vim.api.nvim_buf_set_lines(editing.buf, 0, 0, false, { '# saved again' })
  vim.cmd('silent write')
  contains('1 of 1 cases run', run())
  equal(2, #questions)
end)

test('a criterion with 0 of 10 is a failure in the quickfix list', function()
  local answer = '{"checks":[{"id":"order","score":0,"reasoning":"no step is right"},{"id":"tone","score":9,"reasoning":"fine"}],"overall_reasoning":"bad"}'
  open(
    'scored.eval.yaml',
    [[
evalcases:
  - id: steps
    expected_outcome: Gives the steps in order
    input: How do I reset it?
    expected_output: Hold the button.
    rubrics:
      - { id: order, score_ranges: { 0: Wrong, 5: Right } }
      - { id: tone, score_ranges: { 0: Rude, 5: Polite } }]]
  )
  settle({ judge = 'cli:cat ' .. editing.write('zero.json', answer) })
  editing.messages = {}
  vim.cmd('RubricRunFile')
  contains('1 of 1 cases run', soon('the end', function()
    return editing.messages[1]
  end))
  vim.cmd('RubricResults')
  local list = soon('a list', function()
    local all = vim.fn.getqflist()
    return #all > 0 and all[1].text:find('steps') and all
  end)
  vim.cmd('cclose')
  equal(2, #list)
  contains('steps: fail', list[1].text)
  equal({ 7, 'E' }, { list[2].lnum, list[2].type })
  contains('fail 0 of 10, no step is right', list[2].text)
  editing.on_screen('0 of 10: no step is right')
  assert(editing.colour('0 of 10') ~= editing.colour('9 of 10'), 'a failure looks like a pass')
  equal(editing.colour('✗'), editing.colour('0 of 10'))
  equal(editing.colour('✓'), editing.colour('9 of 10'))
  settle({ judge = 'offline' })
end)

test('a run shows the gate that failed, without an edit', function()
  open(
    'gate.eval.yaml',
    [[
evalcases:
  - id: gate
    expected_outcome: Greets
    input: Hi
    expected_output: Hello
    rubrics: [{ id: bye, expected_outcome: Says "Bye" }] ]]
  )
  settle({ judge = 'offline' })
  vim.cmd('RubricRunFile')
  soon('the diagnostic', function()
    return #editing.found('failed-gate') == 1
  end)
end)

test('a cancelled run keeps finished results', function()
  local cases = { 'evalcases:' }
  for i = 1, 3 do
    vim.list_extend(cases, {
      '  - id: case-' .. i,
      '    expected_outcome: Says hello',
      '    input: Hi',
      '    expected_output: Hello',
      '    rubrics: [{ id: greets, expected_outcome: Says hello }]',
    })
  end
  open('d.eval.yaml', table.concat(cases, '\n'))
  -- a judge that answers once and then hangs
  local answer = '{"checks":[{"id":"greets","satisfied":true,"reasoning":"it does"}],"overall_reasoning":"fine"}'
  local once = editing.write('once', "cd '" .. editing.folder .. "'\nif mkdir answered; then echo '" .. answer .. "'; else exec sleep 600; fi")
  settle({ judge = 'cli:sh ' .. once, workers = 1 })
  editing.messages = {}
  vim.cmd('RubricRunFile')
  local uri = vim.uri_from_bufnr(editing.buf)
  soon('the first case', function()
    return vim.inspect(require('rubric').results(uri)):find('"pass"', 1, true)
  end)
  vim.cmd('RubricCancel')
  contains('then cancelled', soon('the end', function()
    return editing.messages[1]
  end))
  contains('case-1', vim.inspect(require('rubric').results(uri)))
end)

test('a case that a job leaves without an end does not run for ever', function()
  local results, uri = require('rubric.results'), vim.uri_from_bufnr(editing.buf)
  local function update(state, some)
    results.update({ job = 'left', uri = uri, state = state, done = 0, total = 1, results = some })
  end
  update('running', { { id = 'left', state = 'started' } })
  equal('started', results.get(uri).left.state)
  update('failed', {})
  equal(nil, results.get(uri).left)
end)
