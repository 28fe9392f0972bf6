-- One session in nvim --headless, the same for every version of Neovim.
package.path = vim.env.RUBRIC_PLUGIN .. '/test/?.lua;' .. package.path
local check = require('check')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local client = require('rubric.client')

local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')

local function write(name, text)
  vim.fn.writefile(vim.split(text, '\n'), folder .. '/' .. name)
  return folder .. '/' .. name
end

local faulty = [[
# what is under test
evalcases:
  - id: refund
    expected_outcome: Explains the refund
    input: May I send it back?
    expected_output: You have 30 days to send it back.
    rubrics:
      - id: window
        expected_outcome: States that there are 30 days
        weigth: 3
      - id: polite
        expected_outcome: Thanks the customer
        required: false]]

local drafty = [[
# kept
evalcases:
  - id: bare   # kept too
    expected_outcome: Names the price, and says when it is delivered.
    input: How much is it?
    expected_output: It is 5 dollars, delivered on Monday.]]

local said, shown = {}, '' -- by the plugin; by the server, through Neovim
vim.notify = function(message)
  if vim.startswith(message, 'rubric: ') then
    said[#said + 1] = message
  else
    shown = shown .. message .. '\n'
  end
end

local buf

local function open(name, text)
  vim.cmd('edit ' .. write(name, text))
  buf = vim.api.nvim_get_current_buf()
  soon('a server for ' .. name, function()
    return #client.clients(buf) == 1
  end)
end

local function lines()
  return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
end

local function sync(method, params)
  local answered = vim.lsp.buf_request_sync(buf, method, params, 10000)
  for _, answer in pairs(answered or {}) do
    assert(not answer.err and not answer.error, vim.inspect(answer))
    return answer.result
  end
end

local function document()
  return { uri = vim.uri_from_bufnr(buf) }
end

-- floating waits for a window over the text that says something, gives all that
-- it says, and closes it.
local function floating(with)
  return soon('a window with ' .. with, function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
        vim.api.nvim_win_close(window, true)
        return text:find(with, 1, true) and text
      end
    end
  end)
end

local function found(code)
  return vim.tbl_filter(function(d)
    return d.code == code
  end, vim.diagnostic.get(buf))
end

-- settle has the server work by some settings, as if they had been edited.
local function settle(settings)
  local c = client.clients(buf)[1]
  local all = { settings = { rubric = settings } }
  c.config.settings = all.settings
  c.settings = all.settings -- where newer versions look
  if vim.fn.has('nvim-0.11') == 1 then
    c:notify('workspace/didChangeConfiguration', all)
  else
    c.notify('workspace/didChangeConfiguration', all)
  end
end

-- choose has the next choice made of whatever has a title.
local function choose(title)
  vim.ui.select = function(choices, options, done)
    for i, choice in ipairs(choices) do
      if (options.format_item or tostring)(choice):find(title, 1, true) then
        return done(choice, i)
      end
    end
    done(nil)
  end
end

test('an eval file is YAML still, and served', function()
  open('a.eval.yaml', faulty)
  equal('yaml.rubric', vim.bo.filetype)
end)

test('other YAML is left alone', function()
  vim.cmd('new ' .. write('docker-compose.yaml', 'services: {}'))
  equal('yaml', vim.bo.filetype)
  equal(0, #client.clients(vim.api.nvim_get_current_buf()))
  vim.cmd('bwipeout')
end)

test('a misspelt key is told with its span', function()
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

test('completion offers what is not there yet', function()
  vim.api.nvim_buf_set_lines(buf, 13, 13, false, { '      - id: brief', '        wei' })
  local offered = sync('textDocument/completion', { textDocument = document(), position = { line = 14, character = 11 } })
  local labels = vim.tbl_map(function(item)
    return item.label
  end, offered.items or offered)
  assert(vim.tbl_contains(labels, 'weight'), vim.inspect(labels))
  vim.api.nvim_buf_set_lines(buf, 13, 15, false, {})
end)

test('a fix changes the text, and undo brings the fault back', function()
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

-- grades are the words after criteria, by Neovim or at the ends of lines.
local function grades()
  local all = {}
  if vim.lsp.inlay_hint then
    for _, given in ipairs(vim.lsp.inlay_hint.get({ bufnr = buf })) do
      local label = given.inlay_hint.label
      all[#all + 1] = type(label) == 'string' and label or label[1].value
    end
  else
    local space = vim.api.nvim_get_namespaces().rubric
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })) do
      all[#all + 1] = mark[4].virt_text[1][1]
    end
  end
  return table.concat(all, '|')
end

-- changed tells what Neovim itself does not while a script runs.
local function changed()
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = buf })
end

test('hints stand beside the criteria', function()
  changed()
  soon('hints', function()
    return grades():find('75 %', 1, true)
  end)
end)

test(':RubricDryRun tells the plan and runs nothing', function()
  vim.api.nvim_win_set_cursor(0, { 8, 0 })
  vim.cmd('RubricDryRun')
  soon('the plan', function()
    return (shown .. vim.fn.execute('messages')):find('judged by `offline`: 1 question', 1, true)
  end)
  equal({}, require('rubric').results(vim.uri_from_bufnr(buf)))
end)

test(':RubricRun runs the case at the cursor', function()
  said = {}
  vim.cmd('RubricRun')
  contains('1 of 1 cases run', soon('the end', function()
    return said[1]
  end))
  contains('satisfied', soon('grades', function()
    local words = grades()
    return words:find('satisfied') and words
  end))
end)

test('an edit makes a grade stale', function()
  vim.api.nvim_buf_set_lines(buf, 8, 9, false, { '        expected_outcome: States that there are 31 days' })
  changed()
  soon('a stale grade', function()
    return grades():find('stale')
  end)
  vim.cmd('silent undo')
end)

test('lenses are there, and one runs the file', function()
  local all = sync('textDocument/codeLens', { textDocument = document() })
  local titles = {}
  for _, lens in ipairs(all) do
    titles[lens.command.title] = lens.command
  end
  said = {}
  client.execute(buf, titles['Run file'].command, titles['Run file'].arguments[1])
  contains('1 of 1 cases run', soon('the end', function()
    return said[1]
  end))
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
  contains('States that there are 30 days: pass', list[2].text)
end)

test(':RubricResults float shows them over the text', function()
  vim.cmd('RubricResults float')
  floating('States that there are 30 days: pass')
end)

test('positions are neotest-shaped', function()
  local tree
  require('rubric').positions(buf, function(all)
    tree = all
  end)
  soon('positions', function()
    return tree
  end)
  equal({ 'file', 'test', 'assertion' }, { tree[1].type, tree[2][1].type, tree[2][2][1].type })
  equal('refund', tree[2][1].name)
end)

test('case ids are completed', function()
  equal({ 'refund' }, vim.fn.getcompletion('RubricRun re', 'cmdline'))
end)

test(':RubricGenerate inserts and keeps every byte', function()
  open('b.eval.yaml', drafty)
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd('RubricGenerate')
  soon('a rubric', function()
    return lines():find('rubrics:', 1, true)
  end)
  local kept = vim.tbl_filter(function(line)
    return drafty:find(line, 1, true)
  end, vim.split(lines(), '\n'))
  assert(table.concat(kept, '\n'):find(drafty, 1, true), lines())
end)

test('a case that is not there is told, with the nearest', function()
  said = {}
  vim.cmd('RubricRun bara')
  contains('did you mean `bare`', soon('a word', function()
    return said[1]
  end))
end)

test('the editor\'s own model judges when it is asked to', function()
  if vim.fn.has('nvim-0.10') == 0 then
    equal(nil, require('rubric.ask').offered())
    return
  end
  open('c.eval.yaml', (faulty:gsub('weigth', 'weight')))
  settle({ judge = 'editor' })
  vim.g.answer = vim.json and vim.json.encode({
    checks = {
      { id = 'window', satisfied = true, reasoning = 'the test says so' },
      { id = 'polite', satisfied = false, reasoning = 'no thanks' },
    },
    overall_reasoning = 'by the test',
  }) or ''
  said = {}
  soon('the settings', function() -- they are asked for, so that they hold a moment later
    local plan = sync('workspace/executeCommand', { command = 'rubric.dryRun', arguments = { { uri = vim.uri_from_bufnr(buf), case = 'refund' } } })
    return plan.judge == 'editor'
  end)
  vim.cmd('RubricRun refund')
  contains('1 of 1 cases run', soon('the end', function()
    return said[1]
  end))
  assert((vim.g.asked or 0) >= 1, 'nobody asked')
  soon('its grade', function()
    return grades():find('not satisfied')
  end)
end)

test('a run is cancelled, and keeps what was done', function()
  local cases = { 'evalcases:' }
  for i = 1, 3000 do
    vim.list_extend(cases, {
      '  - id: case-' .. i,
      '    expected_outcome: Says hello',
      '    input: Hi',
      '    expected_output: Hello',
      '    rubrics: [Says hello]',
    })
  end
  open('d.eval.yaml', table.concat(cases, '\n'))
  settle({ judge = 'offline', workers = 1, samples = 25 })
  said = {}
  vim.cmd('RubricRunFile')
  local uri = vim.uri_from_bufnr(buf)
  soon('the first case', function()
    return next(require('rubric').results(uri))
  end)
  vim.cmd('RubricCancel')
  contains('then cancelled', soon('the end', function()
    return said[1]
  end))
end)

test('one server serves every file of a folder', function()
  equal(1, #client.clients())
end)

test('an untrusted server runs nothing, and says so', function()
  -- a second client of the same server, as if it had been started so
  local options = require('rubric').options
  options.trusted = false
  local config = client.config()
  config.name, config.root_dir, config.cmd = 'untrusted', folder, { vim.env.RUBRIC_CMD, 'lsp' }
  local id = vim.fn.has('nvim-0.11') == 1 and vim.lsp.start(config, { attach = false }) or vim.lsp.start_client(config)
  options.trusted = true
  vim.lsp.buf_attach_client(buf, id)
  local other = vim.lsp.get_client_by_id(id)
  soon('its start', function()
    return other.initialized
  end)
  local fault
  local params = { command = 'rubric.runFile', arguments = { { uri = vim.uri_from_bufnr(buf) } } }
  local function answered(err)
    fault = err
  end
  if vim.fn.has('nvim-0.11') == 1 then
    other:request('workspace/executeCommand', params, answered, buf)
  else
    other.request('workspace/executeCommand', params, answered, buf)
  end
  contains('not trusted', soon('a refusal', function()
    return fault
  end).message)
  if vim.fn.has('nvim-0.11') == 1 then
    other:stop()
  else
    other.stop()
  end
end)

test(':checkhealth rubric', function()
  vim.cmd('checkhealth rubric')
  local text = soon('a report', function()
    local all = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return all:find('server runs in') and all
  end)
  assert(not text:find('ERROR'), text)
end)

test(':help rubric', function()
  vim.cmd('helptags ' .. vim.env.RUBRIC_PLUGIN .. '/doc')
  for _, tag in ipairs({ 'rubric', ':RubricRun', 'rubric-settings', 'rubric-judge', 'rubric-ask' }) do
    vim.cmd('help ' .. tag)
    contains('neovim/doc/rubric.txt', vim.api.nvim_buf_get_name(0))
  end
end)

test('every command is there, and in the help', function()
  local help = table.concat(vim.fn.readfile(vim.env.RUBRIC_PLUGIN .. '/doc/rubric.txt'), '\n')
  for _, command in ipairs(require('rubric.commands').list) do
    equal(2, vim.fn.exists(':' .. command[1]))
    contains('*:' .. command[1] .. '*', help)
  end
end)

test('each of the three ways to start is known', function()
  local some = function() end
  equal('start_client', client.way({ start_client = some }))
  equal('start', client.way({ start_client = some, start = some }))
  equal('config', client.way({ start = some, enable = some, config = {} }))
end)

check.run()
