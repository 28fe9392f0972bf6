-- The plugin's front: options, and what begins when Neovim does.
local M = {}

-- What setup() changes; doc/rubric.txt tells of each.
M.options = {
  cmd = { 'rubric', 'lsp' },
  trusted = true,
  settings = {},
  lenses = true,
  hints = true,
  ask = nil,
}

-- setup takes options. What is not given stays as it is; servers that run
-- already are not told.
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  if type(M.options.cmd) == 'string' then
    M.options.cmd = { M.options.cmd, 'lsp' }
  end
end

-- start has buffers with eval files served, and makes the commands.
function M.start()
  if type(vim.g.rubric) == 'table' then
    M.setup(vim.g.rubric)
  end
  require('rubric.client').start()
  require('rubric.commands').create()
end

-- positions tells what can be run in a buffer, in the shape of neotest's
-- positions: { id, type = 'file' | 'test' | 'assertion', name, path, range }, each
-- list beginning with its parent. done gets nil if the buffer has no cases.
function M.positions(buf, done)
  require('rubric.items').positions(buf, done)
end

-- results are what the items of a file last came to, by their ids:
-- { state, score, message }.
function M.results(uri)
  return require('rubric.results').of(uri)
end

return M
