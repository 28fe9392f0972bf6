-- Tests of the life cycle of the server.
local check, editing = require('check'), require('editing')
local test, soon, equal, contains = check.test, check.soon, check.equal, check.contains
local client, server = require('rubric.client'), require('rubric.server')

-- crash kills the servers, and returns the id of the client that the buffer had.
local function crash()
  local id = soon('a server', function()
    local c = client.clients(editing.buf)[1]
    return c and server.state == 'running' and c.id
  end)
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    vim.loop.kill(pid, 9)
  end
  return id
end

-- run runs a case, and waits for the end of the run and its result on the screen. An earlier result may be there before.
local function run()
  editing.messages = {}
  vim.cmd('RubricRun refund')
  soon('the end', function()
    return (editing.messages[1] or ''):find('1 of 1 cases run', 1, true)
  end)
  editing.on_screen('✓')
end

test('a server that crashes once is back by itself', function()
  editing.open('crash.eval.yaml', (editing.faulty:gsub('weigth', 'weight')))
  run()
  local id = crash()
  soon('another server', function()
    local c = client.clients(editing.buf)[1]
    return c and c.id ~= id and server.state == 'running'
  end)
  editing.changed()
  soon('the results of the server before', function()
    return editing.screen():find('✓', 1, true)
  end)
  vim.cmd('RubricResults!')
  soon('a list of them', function()
    return vim.fn.getqflist()[1] and vim.fn.getqflist()[1].text:find('refund: ', 1, true)
  end)
  vim.cmd('cclose')
  vim.api.nvim_buf_set_lines(editing.buf, 8, 9, false, { '        expected_outcome: Mentions 31 days' })
  editing.changed()
  editing.on_screen('✓*')
  vim.cmd('silent undo')
  run()
end)

test(':RubricCompare lists what changed since an earlier run', function()
  vim.api.nvim_buf_set_lines(editing.buf, 5, 6, false, { '    expected_output: You have a month.' })
  editing.changed()
  editing.messages = {}
  vim.cmd('RubricRun refund')
  soon('the end', function()
    return editing.messages[1]
  end)
  editing.choose('1 case')
  vim.cmd('RubricCompare')
  local list = soon('a list', function()
    local all = vim.fn.getqflist()
    return #all > 1 and all[2].text:find('refund: ', 1, true) and all
  end)
  vim.cmd('cclose')
  contains('not comparable: ', list[1].text)
  equal(3, list[2].lnum)
  contains('✓ yes → ?', list[3].text)
  vim.cmd('silent undo')
  run()
end)

test('a server that crashes again and again is shown as crashed until it is restarted', function()
  editing.messages = {}
  local last
  for _ = 1, 4 do
    local id = crash()
    soon('its end', function()
      local c = client.clients(editing.buf)[1]
      return server.state == 'crashed' or c and c.id ~= id
    end)
  end
  equal('crashed', server.state)
  soon('what to do', function()
    return (editing.messages[#editing.messages] or ''):find(':RubricRestart starts it again', 1, true)
  end)
  vim.wo.statusline = "%{v:lua.require'rubric'.status()}"
  equal(nil, editing.on_screen('rubric: server crashed'):match('✓'))
  vim.cmd('RubricRun refund')
  contains('no server runs for this buffer (crashed); :RubricRestart', editing.messages[#editing.messages])
  vim.cmd('checkhealth rubric')
  soon('a report', function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find('the server has crashed', 1, true)
  end)
  vim.cmd('bwipeout')
  vim.cmd('RubricRestart')
  soon('a server', function()
    return #client.clients(editing.buf) == 1 and server.state == 'running'
  end)
  vim.cmd('buffer ' .. editing.buf)
  run()
end)

test(':RubricRestart restarts a server that runs, with the chosen judge', function()
  local id = client.clients(editing.buf)[1].id
  vim.cmd('RubricJudge cli:cat answer.json')
  vim.cmd('RubricRestart')
  soon('another server', function()
    local c = client.clients(editing.buf)[1]
    return c and c.id ~= id and server.state == 'running'
  end)
  editing.changed()
  editing.on_screen('expected answers · cli:cat answer.json')
  vim.cmd('RubricJudge offline')
end)

test('a file that no window shows while the server restarts has its findings later', function()
  editing.open('hidden.eval.yaml', editing.faulty)
  editing.on_screen('weigth')
  vim.cmd('edit ' .. editing.folder .. '/crash.eval.yaml')
  vim.cmd('RubricRestart')
  soon('another server', function()
    return server.state == 'running'
  end)
  vim.cmd('buffer hidden.eval.yaml')
  editing.buf = vim.api.nvim_get_current_buf()
  soon('the finding', function()
    return #editing.found('unknown-key') > 0
  end)
end)

test(':RubricOutput shows the life of the server and its runs', function()
  vim.cmd('RubricOutput')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  contains('the server is crashed', text)
  contains('crash.eval.yaml: done, 1 of 1 case run (expected answers · offline judge)', text)
  vim.cmd('bwipeout')
end)
