-- The commands, in one table. doc/rubric.txt is generated from it.
local client = require('rubric.client')
local items = require('rubric.items')

local M = {}

-- with_target calls run with the target of a command: the named case, or the one at the cursor.
local function with_target(name, run)
  local buf = vim.api.nvim_get_current_buf()
  local uri = vim.uri_from_bufnr(buf)
  if name ~= '' then
    run(buf, { uri = uri, case = name })
    return
  end
  items.case_at(buf, vim.api.nvim_win_get_cursor(0)[1] - 1, function(case)
    run(buf, { uri = uri, case = case })
  end)
end

local function case_command(command)
  return function(call)
    with_target(call.args, function(buf, target)
      client.execute(buf, command, target)
    end)
  end
end

local function file_command(command)
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

-- complete_cases completes the ids of a buffer's cases.
local function complete_cases(lead)
  local buf = vim.api.nvim_get_current_buf()
  local found
  items.get(buf, function(root)
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

local function complete_views()
  return { 'float' }
end

-- list has the name, description, function and options of every command.
M.list = {
  { 'RubricRun', 'Run the case at the cursor, or the named case.', case_command('rubric.runCase'), { nargs = '?', complete = complete_cases } },
  { 'RubricRunFile', 'Run every case of the file.', file_command('rubric.runFile'), {} },
  { 'RubricDryRun', 'Show what a run of a case would ask, without running it.', case_command('rubric.dryRun'), { nargs = '?', complete = complete_cases } },
  { 'RubricRejudge', 'Judge the last answer of a case again.', case_command('rubric.rejudge'), { nargs = '?', complete = complete_cases } },
  { 'RubricGenerate', 'Draft criteria for the case at the cursor, or the named case.', case_command('rubric.generateRubrics'), { nargs = '?', complete = complete_cases } },
  { 'RubricCancel', 'Cancel all runs. Finished cases keep their results.', cancel, {} },
  { 'RubricResults', 'List the results that did not pass in the quickfix window. `!` lists all results; `float` uses a floating window.', results, { nargs = '?', bang = true, complete = complete_views } },
}

-- create creates the commands.
function M.create()
  for _, command in ipairs(M.list) do
    local name, description, run, options = command[1], command[2], command[3], command[4]
    vim.api.nvim_create_user_command(name, run, vim.tbl_extend('force', { desc = description }, options))
  end
end

return M
