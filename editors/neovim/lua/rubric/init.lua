-- The plugin's API: options, setup and start.
local M = {}

-- The options of setup(); doc/rubric.txt documents each.
M.options = {
  cmd = { 'rubric', 'lsp' },
  trusted = nil,
  settings = {},
  lenses = true,
  hints = true,
  ask = nil,
}

-- setup merges options into the current ones. Running servers keep theirs.
function M.setup(options)
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
