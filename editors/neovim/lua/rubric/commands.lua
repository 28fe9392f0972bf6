-- The commands, in one table of which doc/rubric.txt is made too.
local client = require('rubric.client')
local items = require('rubric.items')

local M = {}

-- about calls act with the target of a command: the named case, or the one at
-- the cursor.
local function about(name, act)
  local buf = vim.api.nvim_get_current_buf()
  local uri = vim.uri_from_bufnr(buf)
  if name ~= '' then
    act(buf, { uri = uri, case = name })
    return
  end
  items.case(buf, vim.api.nvim_win_get_cursor(0)[1] - 1, function(case)
    act(buf, { uri = uri, case = case })
  end)
end

local function oneCase(command)
  return function(call)
    about(call.args, function(buf, target)
      client.execute(buf, command, target)
    end)
  end
end

local function file(command)
  return function()
    local buf = vim.api.nvim_get_current_buf()
    client.execute(buf, command, { uri = vim.uri_from_bufnr(buf) })
  end
end

local function cancel()
  local buf = vim.api.nvim_get_current_buf()
  client.execute(buf, 'rubric.cancelRun', vim.empty_dict(), function(stopped)
    if #stopped.jobs == 0 then
      vim.notify('rubric: nothing runs')
    end
  end)
end

local function results(call)
  local show = require('rubric.results')
  if call.args == 'float' then
    show.float(vim.api.nvim_get_current_buf())
  else
    show.quickfix(vim.api.nvim_get_current_buf(), call.bang)
  end
end

-- cases completes the ids of a buffer's cases.
local function cases(lead)
  local buf = vim.api.nvim_get_current_buf()
  local found
  items.of(buf, function(root)
    found = {}
    for _, item in ipairs(root and root.children or {}) do
      if vim.startswith(item.target.case, lead) then
        found[#found + 1] = item.target.case
      end
    end
  end)
  vim.wait(1000, function()
    return found ~= nil
  end, 10)
  return found or {}
end

local function views()
  return { 'float' }
end

-- list is every command: its name, what it does, and its options.
M.list = {
  { 'RubricRun', 'Run the case at the cursor, or the one that is named.', oneCase('rubric.runCase'), { nargs = '?', complete = cases } },
  { 'RubricRunFile', 'Run every case of the file.', file('rubric.runFile'), {} },
  { 'RubricDryRun', 'Tell what running a case would ask, and ask nothing.', oneCase('rubric.dryRun'), { nargs = '?', complete = cases } },
  { 'RubricRejudge', 'Judge the last answer of a case again.', oneCase('rubric.rejudge'), { nargs = '?', complete = cases } },
  { 'RubricGenerate', 'Draft criteria for the case at the cursor, or the one that is named.', oneCase('rubric.generateRubrics'), { nargs = '?', complete = cases } },
  { 'RubricCancel', 'Stop everything that runs; what was done is kept.', cancel, {} },
  { 'RubricResults', 'List what did not pass in the quickfix window; with `!` all results, with `float` in a window over the text.', results, { nargs = '?', bang = true, complete = views } },
}

-- create makes the commands.
function M.create()
  for _, command in ipairs(M.list) do
    local name, does, act, options = command[1], command[2], command[3], command[4]
    vim.api.nvim_create_user_command(name, act, vim.tbl_extend('force', { desc = does }, options))
  end
end

return M
