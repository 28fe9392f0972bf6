-- Results of runs, and their views: the quickfix list and a floating window.
local items = require('rubric.items')

local M = {}

local results_by_uri = {} -- results of items by URI and item id

-- quickfix_types are the quickfix types of states, the worst first.
local quickfix_types = {
  { 'fail', 'E' },
  { 'ungraded', 'W' },
  { 'cancelled', 'W' },
  { 'borderline', 'W' },
  { 'started', 'I' },
  { 'pass', 'I' },
}

-- get returns the results of a file's items by id.
function M.get(uri)
  return results_by_uri[uri] or {}
end

-- progress has the running jobs.
M.progress = {}

-- clear forgets all results, because their server has ended.
function M.clear()
  results_by_uri, M.progress = {}, {}
end

-- job_message returns the message at the end of a job that ran.
local function job_message(job)
  local text = string.format('%d of %d cases run', job.done, job.total)
  if job.state == 'cancelled' then
    text = text .. ', then cancelled'
  end
  local names = require('rubric').names(vim.fn.bufnr(vim.uri_to_fname(job.uri)))
  text = text .. (names and ' (' .. names .. ')' or '') .. '; :RubricResults shows them'
  for _, result in pairs(M.get(job.uri)) do
    if result.state == 'ungraded' and (result.message or ''):find('needs a model$') then
      return text .. ". Some need a model: setup({ settings = { judge = 'openai:MODEL' } }), :help rubric-judge"
    end
  end
  return text
end

-- drop_started removes the cases of a file that have started and will not end, once no job of the file runs.
local function drop_started(uri)
  for _, job in pairs(M.progress) do
    if job.uri == uri then
      return
    end
  end
  for id, result in pairs(M.get(uri)) do
    if result.state == 'started' then
      results_by_uri[uri][id] = nil
    end
  end
end

-- update stores the new results of a job.
function M.update(job)
  local results = results_by_uri[job.uri] or {}
  results_by_uri[job.uri] = results
  for _, result in ipairs(job.results) do
    results[result.id] = { state = result.state, score = result.score, message = result.message }
  end
  M.progress[job.job] = job.state == 'running' and job or nil
  drop_started(job.uri)
  vim.cmd('redrawstatus!')
  require('rubric.views').refresh_file(job.uri)
  if job.state ~= 'running' and job.state ~= 'failed' then -- the server shows why a run failed
    vim.notify('rubric: ' .. job_message(job), vim.log.levels.INFO)
  end
  vim.api.nvim_exec_autocmds('User', { pattern = 'RubricResults', modeline = false })
end

-- result_line returns a result in one line.
local function result_line(item, result)
  local text = item.label .. ': ' .. result.state
  if result.score then
    text = text .. string.format(item.kind == 'criterion' and ' %.4g of 10' or ' %.4g', result.score)
  end
  if result.message and result.message ~= '' then
    text = text .. ', ' .. result.message:gsub('%s*\n%s*', ' ')
  end
  return text
end

-- each_result calls visit with every item that has a result, in the order of the file, then done.
local function each_result(buf, visit, done)
  local results = M.get(vim.uri_from_bufnr(buf))
  items.get(buf, function(root)
    local found = false
    if root then
      items.each(root, function(item)
        local result = results[item.id] or item.result -- of an earlier server
        if result then
          found = true
          visit(item, result)
        end
      end)
    end
    if not found then
      return vim.notify('rubric: this file has no results yet', vim.log.levels.INFO)
    end
    done()
  end)
end

-- quickfix lists the results of a buffer that did not pass, or all of them.
function M.quickfix(buf, all)
  local kinds = {}
  for _, mark in ipairs(quickfix_types) do
    kinds[mark[1]] = mark[2]
  end
  local list = {}
  each_result(buf, function(item, result)
    if all or result.state ~= 'pass' then
      local start = item.range and item.range.start or { line = 0, character = 0 }
      list[#list + 1] = {
        bufnr = buf,
        lnum = start.line + 1,
        col = start.character + 1,
        type = kinds[result.state],
        text = result_line(item, result),
      }
    end
  end, function()
    vim.fn.setqflist({}, ' ', { title = 'rubric', items = list })
    if #list == 0 then
      vim.notify('rubric: all results pass', vim.log.levels.INFO)
    else
      vim.cmd('botright copen')
    end
  end)
end

-- float shows a buffer's results in a floating window.
function M.float(buf)
  local lines = {}
  each_result(buf, function(item, result)
    lines[#lines + 1] = (item.kind == 'criterion' and '    ' or '') .. result_line(item, result)
  end, function()
    vim.lsp.util.open_floating_preview(lines, 'rubric-results', {
      border = 'rounded',
      focus_id = 'rubric-results',
      max_width = math.floor(vim.o.columns * 0.8),
      max_height = math.floor(vim.o.lines * 0.6),
      close_events = { 'CursorMoved', 'BufHidden', 'InsertEnter' },
    })
  end)
end

return M
