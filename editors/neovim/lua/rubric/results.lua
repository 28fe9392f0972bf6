-- What runs come to, as the server tells it, and where it is read: the quickfix
-- list and a floating window.
local items = require('rubric.items')

local M = {}

local files = {} -- by URI: the results of items by their ids

-- marks are how the states of items are shown, the worst first.
local marks = {
  { 'fail', 'E' },
  { 'ungraded', 'W' },
  { 'cancelled', 'W' },
  { 'borderline', 'W' },
  { 'started', 'I' },
  { 'pass', 'I' },
}

-- of are the results of a file's items.
function M.of(uri)
  return files[uri] or {}
end

-- closing is the sentence that a job ends with.
local function closing(job)
  if job.state == 'failed' then
    return job.message or 'nothing could be run'
  end
  local said = string.format('%d of %d cases run', job.done, job.total)
  if job.state == 'cancelled' then
    said = said .. ', then cancelled'
  end
  return said .. '; :RubricResults shows them'
end

-- take takes in what is new of a job.
function M.take(job)
  local kept = files[job.uri] or {}
  files[job.uri] = kept
  for _, result in ipairs(job.results) do
    kept[result.id] = { state = result.state, score = result.score, message = result.message }
  end
  require('rubric.views').changed(job.uri)
  if job.state ~= 'running' then
    vim.notify('rubric: ' .. closing(job), job.state == 'failed' and vim.log.levels.WARN or vim.log.levels.INFO)
  end
  vim.api.nvim_exec_autocmds('User', { pattern = 'RubricResults', modeline = false })
end

-- line is a result in one line.
local function line(item, result)
  local said = item.label .. ': ' .. result.state
  if result.score then
    said = said .. string.format(' %.4g', result.score)
  end
  if result.message and result.message ~= '' then
    said = said .. ', ' .. result.message:gsub('%s*\n%s*', ' ')
  end
  return said
end

-- each calls visit with every item of a buffer that has a result, in the order
-- of the file, and then done.
local function each(buf, visit, done)
  local results = M.of(vim.uri_from_bufnr(buf))
  if not next(results) then
    vim.notify('rubric: nothing of this file has been run', vim.log.levels.INFO)
    return
  end
  items.of(buf, function(root)
    if root then
      items.each(root, function(item)
        if results[item.id] then
          visit(item, results[item.id])
        end
      end)
    end
    done()
  end)
end

-- quickfix lists a buffer's results, those that did not pass first if only they
-- are wanted.
function M.quickfix(buf, all)
  local kinds = {}
  for _, mark in ipairs(marks) do
    kinds[mark[1]] = mark[2]
  end
  local list = {}
  each(buf, function(item, result)
    if all or result.state ~= 'pass' then
      local start = item.range and item.range.start or { line = 0, character = 0 }
      list[#list + 1] = {
        bufnr = buf,
        lnum = start.line + 1,
        col = start.character + 1,
        type = kinds[result.state],
        text = line(item, result),
      }
    end
  end, function()
    vim.fn.setqflist({}, ' ', { title = 'rubric', items = list })
    if #list == 0 then
      vim.notify('rubric: everything that was run passes', vim.log.levels.INFO)
    else
      vim.cmd('botright copen')
    end
  end)
end

-- float shows a buffer's results in a window over it.
function M.float(buf)
  local lines = {}
  each(buf, function(item, result)
    lines[#lines + 1] = (item.kind == 'criterion' and '    ' or '') .. line(item, result)
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
