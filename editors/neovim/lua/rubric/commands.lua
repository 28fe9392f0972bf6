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

local function choice_command(choose)
  return function(call)
    require('rubric.choose')[choose](vim.api.nvim_get_current_buf(), call.args)
  end
end

local function grade(call)
  with_target(call.args, function(buf, target)
    require('rubric.choose').grade(buf, target.case)
  end)
end

local function generate(call)
  with_target(call.args, require('rubric.draft').generate)
end

local function case_panel()
  require('rubric.panel').open(vim.api.nvim_get_current_buf())
end

local function compare()
  require('rubric.compare').choose(vim.api.nvim_get_current_buf())
end

local function doctor()
  vim.cmd('checkhealth rubric')
end

-- complete_answers returns the names that a request passes to its function and that start with lead.
local function complete_answers(lead, request)
  local found
  request(vim.api.nvim_get_current_buf(), function(names)
    found = vim.tbl_filter(function(name)
      return name ~= '' and vim.startswith(name, lead)
    end, names)
  end)
  vim.wait(1000, function()
    return found ~= nil
  end, 10)
  return found or {}
end

local function complete_judges(lead)
  return complete_answers(lead, require('rubric.choose').judges)
end

local function complete_targets(lead)
  return complete_answers(lead, function(buf, done)
    require('rubric.choose').targets(buf, function(all)
      done(vim.tbl_map(function(target)
        return target.name
      end, all))
    end)
  end)
end

-- complete_cases completes the ids of a buffer's cases.
local function complete_cases(lead)
  return complete_answers(lead, function(buf, done)
    items.get(buf, function(root)
      done(vim.tbl_map(function(item)
        return item.target.case
      end, root and root.children or {}))
    end)
  end)
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
  { 'RubricGenerate', 'Draft criteria for the case at the cursor, or the named case, and preview them.', generate, { nargs = '?', complete = complete_cases } },
  { 'RubricGrade', 'Grade the criteria of a case yourself, and show its score.', grade, { nargs = '?', complete = complete_cases } },
  { 'RubricJudge', 'Choose who judges, until Neovim ends.', choice_command('judge'), { nargs = '?', complete = complete_judges } },
  { 'RubricTarget', 'Choose what runs grade, until Neovim ends: what the files say, a target, a recording, or `self`, the expected answers.', choice_command('target'), { nargs = '?', complete = complete_targets } },
  { 'RubricCancel', 'Cancel all runs. Finished cases keep their results.', cancel, {} },
  { 'RubricResults', 'List the results that did not pass in the quickfix window. `!` lists all results; `float` uses a floating window.', results, { nargs = '?', bang = true, complete = complete_views } },
  { 'RubricCase', 'Show the case at the cursor in a split that follows the cursor: question, judged answer, grades with reasons, what would flip the verdict, past runs, and the prompts of the judge.', case_panel, {} },
  { 'RubricCompare', 'Choose an earlier run of the file, and list in the quickfix window what was won and lost since.', compare, {} },
  { 'RubricRestart', 'Stop the server, if it runs, and start it again.', require('rubric.server').restart, {} },
  { 'RubricOutput', 'Show what the server and runs have reported.', require('rubric.server').show_output, {} },
  { 'RubricDoctor', 'Show the versions, the state of the server, and what a run finds: `:checkhealth rubric`.', doctor, {} },
}

-- create creates the commands.
function M.create()
  for _, command in ipairs(M.list) do
    local name, description, run, options = command[1], command[2], command[3], command[4]
    vim.api.nvim_create_user_command(name, run, vim.tbl_extend('force', { desc = description }, options))
  end
end

return M
