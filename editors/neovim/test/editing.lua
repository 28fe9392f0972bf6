-- Helpers that edit files in Neovim. `editing.buf` is the current buffer.
local check = require('check')
local soon = check.soon
local client = require('rubric.client')
local editing = {}

editing.folder = vim.fn.tempname()
vim.fn.mkdir(editing.folder .. '/.agentv', 'p') -- one project

function editing.write(name, text)
  vim.fn.writefile(vim.split(text, '\n'), editing.folder .. '/' .. name)
  return editing.folder .. '/' .. name
end

editing.faulty = [[
# what is under test
evalcases:
  - id: refund
    expected_outcome: Explains the refund
    input: May I send it back?
    expected_output: You have 30 days to send it back.
    rubrics:
      - id: window
        expected_outcome: Mentions 30 days
        weigth: 3
      - id: polite
        expected_outcome: Thanks the customer
        required: false]]

editing.drafty = [[
# kept
evalcases:
  - id: bare   # kept too
    expected_outcome: Names the price, and says when it is delivered.
    input: How much is it?
    expected_output: It is 5 dollars, delivered on Monday.]]

-- Messages of the plugin, and of the server through Neovim.
editing.messages, editing.shown = {}, ''

vim.notify = function(message)
  if vim.startswith(message, 'rubric: ') then
    editing.messages[#editing.messages + 1] = message
  else
    editing.shown = editing.shown .. message .. '\n'
  end
end

function editing.open(name, text)
  vim.cmd('edit ' .. editing.write(name, text))
  editing.buf = vim.api.nvim_get_current_buf()
  soon('a server for ' .. name, function()
    return #client.clients(editing.buf) == 1
  end)
end

function editing.lines()
  return table.concat(vim.api.nvim_buf_get_lines(editing.buf, 0, -1, false), '\n')
end

function editing.sync(method, params)
  local answered = vim.lsp.buf_request_sync(editing.buf, method, params, check.patience)
  for _, answer in pairs(answered or {}) do
    assert(not answer.err and not answer.error, vim.inspect(answer))
    return answer.result
  end
end

function editing.document()
  return { uri = vim.uri_from_bufnr(editing.buf) }
end

-- floating waits for a floating window that contains a text, returns all its
-- text, and closes it.
function editing.floating(with)
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

function editing.found(code)
  return vim.tbl_filter(function(d)
    return d.code == code
  end, vim.diagnostic.get(editing.buf))
end

-- settle changes the server's settings. The server requests
-- them, so they apply a moment later.
function editing.settle(settings)
  local c = client.clients(editing.buf)[1]
  local all = { settings = { rubric = settings } }
  c.config.settings = all.settings
  c.settings = all.settings -- where newer versions look
  if vim.fn.has('nvim-0.11') == 1 then
    c:notify('workspace/didChangeConfiguration', all)
  else
    c.notify('workspace/didChangeConfiguration', all)
  end
  soon('the settings', function()
    local plan = editing.sync('workspace/executeCommand', { command = 'rubric.dryRun', arguments = { { uri = vim.uri_from_bufnr(editing.buf) } } })
    return plan.judge == settings.judge
  end)
end

-- choose selects the item with a title in the next menu.
function editing.choose(title)
  vim.ui.select = function(choices, options, done)
    for i, choice in ipairs(choices) do
      if (options.format_item or tostring)(choice):find(title, 1, true) then
        return done(choice, i)
      end
    end
    done(nil)
  end
end

-- cells returns the screen as lists of cells: a text, and its colours.
function editing.cells()
  vim.cmd('redraw')
  local rows = {}
  for row = 0, vim.o.lines - 1 do
    rows[row + 1] = {}
    for column = 0, vim.o.columns - 1 do
      local drawn, cell = pcall(vim.api.nvim__inspect_cell, 1, row, column)
      rows[row + 1][column + 1] = drawn and cell or { ' ', {} }
    end
  end
  return rows
end

-- screen returns the text on the screen.
function editing.screen()
  local rows = {}
  for _, row in ipairs(editing.cells()) do
    rows[#rows + 1] = table.concat(vim.tbl_map(function(cell)
      return cell[1]
    end, row))
  end
  return table.concat(rows, '\n')
end

-- colour returns the foreground colour of the first place of a text on the screen.
function editing.colour(text)
  for _, row in ipairs(editing.cells()) do
    local line, starts = '', {}
    for _, cell in ipairs(row) do
      starts[#line + 1] = cell[2] or {}
      line = line .. cell[1]
    end
    local at = line:find(text, 1, true)
    if at then
      return starts[at].foreground or 'none'
    end
  end
end

-- on_screen waits until a text is on the screen, and returns the screen.
function editing.on_screen(text)
  local screen
  local ok, fault = pcall(check.soon, text .. ' on the screen', function()
    screen = editing.screen()
    return screen:find(text, 1, true)
  end)
  assert(ok, tostring(fault) .. '\n' .. screen)
  return screen
end

-- slow suspends the servers for some milliseconds.
function editing.slow(milliseconds)
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    vim.loop.kill(pid, 'sigstop')
    vim.defer_fn(function()
      vim.loop.kill(pid, 'sigcont')
    end, milliseconds)
  end
end

-- changed fires the autocommand that Neovim does not fire while a script runs.
function editing.changed()
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = editing.buf })
end

return editing
