-- The results of the last run in the text: a sign for each case and criterion, and the grade at the
-- end of a criterion's line.
local client = require('rubric.client')

local M = {}

local namespace = vim.api.nvim_create_namespace('rubric_grades')

-- Signs and highlight groups by state. Each group links to a standard one.
local styles = {
  pass = { '✓', 'RubricPass', 'DiagnosticOk', 'String' }, -- DiagnosticOk is new in 0.9
  borderline = { '!', 'RubricBorderline', 'DiagnosticWarn' },
  fail = { '✗', 'RubricFail', 'DiagnosticError' },
  ungraded = { '?', 'RubricUngraded', 'DiagnosticInfo' },
  started = { '⋯', 'RubricRunning', 'DiagnosticHint' },
}

-- names has whom a run of a buffer would ask: its target and judge.
M.names = {}

-- highlight defines the groups that the user's configuration and colour scheme have not defined.
local function highlight()
  for _, style in pairs(styles) do
    local link = vim.fn.hlexists(style[3]) == 1 and style[3] or style[4]
    vim.api.nvim_set_hl(0, style[2], { default = true, link = link })
  end
  vim.api.nvim_set_hl(0, 'RubricStale', { default = true, link = 'Comment' })
end

highlight()
vim.api.nvim_create_autocmd('ColorScheme', { callback = highlight })

-- group returns the highlight group of a state.
function M.group(state)
  return (styles[state] or styles.ungraded)[2]
end

-- sign returns the sign of a state.
function M.sign(state)
  return (styles[state] or styles.ungraded)[1]
end

-- grade_text returns what follows an item's line, or nil: the sign says what a case's result is.
local function grade_text(item, result)
  if item.kind == 'case' then
    return nil
  end
  local text = item.kind == 'metric' and item.label .. ': ' .. result.text or result.text
  if result.state ~= 'pass' and result.message then
    text = text .. ': ' .. result.message:gsub('%s*\n%s*', ' ')
  end
  return text
end

-- mark shows the result of an item.
local function mark(buf, item, result, priority)
  local row = (item.told or item.range).start.line
  local style = styles[result.state] or styles.ungraded
  local options = { sign_text = style[1] .. (result.stale and '*' or ''), sign_hl_group = style[2], priority = priority, hl_mode = 'combine' }
  local text = grade_text(item, result)
  if text then
    options.virt_text = { { ' ' .. text, result.stale and 'RubricStale' or style[2] } }
  end
  if row < vim.api.nvim_buf_line_count(buf) then
    vim.api.nvim_buf_set_extmark(buf, namespace, row, 0, options)
  end
end

-- shown_range returns the lines of a buffer that windows show, as a range of the protocol.
local function shown_range(buf)
  local first, last = math.huge, 0
  for _, window in ipairs(vim.fn.win_findbuf(buf)) do
    first = math.min(first, vim.fn.line('w0', window) - 1)
    last = math.max(last, vim.fn.line('w$', window))
  end
  return first < last and { start = { line = first, character = 0 }, ['end'] = { line = last, character = 0 } } or nil
end

-- refresh shows the results in the lines of a buffer that are on the screen.
function M.refresh(buf)
  local range = shown_range(buf)
  if not range then
    return
  end
  local tick = vim.api.nvim_buf_get_changedtick(buf)
  client.request(buf, 'rubric/testItems', { textDocument = { uri = vim.uri_from_bufnr(buf) }, range = range }, function(root)
    if vim.api.nvim_buf_get_changedtick(buf) ~= tick then
      return -- the next change asks again
    end
    vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
    if root == vim.NIL or not root then
      return
    end
    M.names[buf] = root.run
    vim.cmd('redrawstatus!')
    local running = require('rubric.results').get(root.id)
    require('rubric.items').each(root, function(item)
      local result = item.result
      if (running[item.id] or {}).state == 'started' then
        result = { state = 'started', text = 'running' }
      end
      if result and item.range then
        mark(buf, item, result, item.kind == 'case' and 12 or 11) -- above the signs of diagnostics
      end
    end)
  end)
end

-- clear removes all results.
function M.clear()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  end
end

return M
