-- The plugin's API: options, setup and start.
local M = {}

-- The options of setup(); doc/rubric.txt documents each.
M.options = {
  cmd = { 'rubric', 'lsp' },
  trusted = nil,
  settings = {},
  lenses = true,
  hints = true,
  grades = true,
  ask = nil,
}

local names = { 'cmd', 'trusted', 'settings', 'lenses', 'hints', 'grades', 'ask' }

-- setup merges options into the current ones. Running servers keep theirs.
function M.setup(options)
  for name in pairs(options or {}) do
    if not vim.tbl_contains(names, name) then
      vim.notify('rubric: setup() has no option `' .. name .. '`; :help rubric-options lists them', vim.log.levels.WARN)
    end
  end
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  if type(M.options.cmd) == 'string' then
    M.options.cmd = { M.options.cmd, 'lsp' }
  end
end

-- start starts servers for eval files and creates the commands.
function M.start()
  if type(vim.g.rubric) == 'table' then
    M.setup(vim.g.rubric)
  end
  require('rubric.client').start()
  require('rubric.commands').create()
end

-- names returns what a run of the buffer would grade and who would judge it, or nil before it is known.
function M.names(buf)
  local names = require('rubric.grades').names[buf]
  return names and names.label
end

-- status returns a few words for a status line: the names, the progress of runs, or the state of a
-- server that does not run.
function M.status(buf)
  local server = require('rubric.server')
  if server.state ~= 'running' then
    return 'rubric: server ' .. server.state
  end
  local done, total = 0, 0
  for _, job in pairs(require('rubric.results').progress) do
    done, total = done + job.done, total + job.total
  end
  if total > 0 then
    return string.format('rubric: %d of %d cases', done, total)
  end
  return M.names(buf or vim.api.nvim_get_current_buf()) or ''
end

-- positions passes the runnable items of a buffer to done, in the form of neotest's positions:
-- { id, type = 'file' | 'test' | 'assertion', name, path, range }, each
-- list beginning with its parent. done gets nil if the buffer has no cases.
function M.positions(buf, done)
  require('rubric.items').positions(buf, done)
end

-- results returns the last results of a file by item id: { state, score, message }.
function M.results(uri)
  return require('rubric.results').get(uri)
end

return M
