-- The life cycle of the server: its state, its restart after a crash, and its output.
local M = {}

-- state is starting, running, restarting, crashed or stopped.
M.state = 'stopped'

-- fault is the last fault of the server, or nil.
M.fault = nil

local max_crashes = 5 -- in a row, each within three minutes of the start
local crashes = 0
local started = 0 -- in milliseconds
local output = {}

-- log adds a line to the output.
function M.log(text)
  for _, line in ipairs(vim.split(text, '\n')) do
    output[#output + 1] = os.date('%H:%M:%S ') .. line
  end
  local buf = vim.fn.bufnr('^rubric://output$')
  if buf >= 0 then
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, output)
  end
end

-- show_output opens the output in a split.
function M.show_output()
  vim.cmd('botright split rubric://output')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, output)
  vim.cmd('normal! G')
end

-- set changes the state.
function M.set(state)
  if state == 'starting' then
    started = vim.loop.now()
    state = M.state == 'restarting' and 'restarting' or state
  end
  if state ~= M.state then
    M.log('the server is ' .. state)
  end
  M.state = state
  vim.cmd('redrawstatus!')
end

-- attach starts servers for the buffers that have none. Neovim asks for no diagnostics of a buffer that no window
-- shows, so such a buffer waits.
local function attach()
  local client = require('rubric.client')
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local needs_one = vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].filetype:find('%.rubric$') and #client.clients(buf) == 0
    if needs_one and #vim.fn.win_findbuf(buf) > 0 then
      client.attach(buf)
    elseif needs_one then
      vim.api.nvim_create_autocmd('BufWinEnter', { buffer = buf, once = true, callback = attach })
    end
  end
end

-- exited handles the end of a server. A crashed one is started again, a few times.
function M.exited(code, signal)
  if vim.v.exiting ~= vim.NIL then
    return
  end
  require('rubric.results').clear()
  require('rubric.views').clear()
  if M.state == 'stopped' or signal == 15 or code == 0 and signal == 0 then -- 15 ends it on request
    return M.set('stopped')
  end
  M.fault = signal ~= 0 and 'ended by signal ' .. signal or 'ended with exit code ' .. code
  crashes = vim.loop.now() - started < 180000 and crashes + 1 or 1
  if crashes < max_crashes then
    M.set('restarting')
    vim.defer_fn(attach, 100) -- Neovim forgets the old client first
    return
  end
  M.set('crashed')
  vim.notify('rubric: the server ' .. M.fault .. ', ' .. crashes .. ' times; :RubricRestart starts it again', vim.log.levels.ERROR)
end

-- restart stops the servers and starts them again.
function M.restart()
  crashes = 0
  local client = require('rubric.client')
  local old = client.clients()
  if #old > 0 then
    M.set('stopped')
  end
  for _, c in ipairs(old) do
    client.stop(c)
  end
  local function start()
    if #client.clients() > 0 then
      vim.defer_fn(start, 50)
      return
    end
    M.state = 'restarting'
    attach()
  end
  start()
end

return M
