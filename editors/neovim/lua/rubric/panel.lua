-- The panel of the case at the cursor, in a split that follows the cursor.
local client = require('rubric.client')
local grades = require('rubric.grades')

local M = {}

local namespace = vim.api.nvim_create_namespace('rubric_panel')
local panel -- { buf, source }: the panel's buffer, and the buffer of the case

-- quote returns a text as lines of a block.
local function quote(text)
  return vim.split('~~~\n' .. vim.trim(text) .. '\n~~~', '\n')
end

-- criterion_lines returns the lines of a criterion or a metric: its grade, the reason, and what it is worth.
local function criterion_lines(item, facts)
  local result = item.result
  local lines = { (result and grades.sign(result.state) .. ' ' or '- ') .. item.label .. (result and ': ' .. result.text or '') }
  if result and result.message then
    vim.list_extend(lines, vim.split('    ' .. result.message, '\n'))
  end
  for _, line in ipairs(facts[item.id] or {}) do
    lines[#lines + 1] = '    - ' .. line
  end
  return lines
end

local function run_line(run)
  local text = '- ' .. run.time .. ' ' .. run.verdict .. (type(run.score) == 'number' and string.format(' %.4g', run.score) or '')
  text = text .. ', ' .. run.target .. ', judged by ' .. run.judge
  return #run.changes > 0 and text .. ': ' .. table.concat(run.changes, '; ') or text
end

-- layout returns the panel's lines, and the states of those with a result, by line.
local function layout(case)
  local lines, states, facts = {}, {}, {}
  local function add(title, some)
    if #some > 0 then
      lines[#lines + 1] = ''
      lines[#lines + 1] = '## ' .. title
      vim.list_extend(lines, some)
    end
  end
  local function list(texts)
    return vim.tbl_map(function(text)
      return '- ' .. text
    end, texts)
  end
  local result = case.item.result
  lines[1] = '# ' .. case.item.label .. (result and ': ' .. result.text or '')
  states[1] = result
  lines[#lines + 1] = case.run and case.run.label
  lines[#lines + 1] = 'run: r   target: T   judge: J   close: q'
  add('Why it does not pass', list(case.reasons))
  add('What would flip it', list(case.flips))
  local question = {}
  for _, message in ipairs(case.messages) do
    question[#question + 1] = message.role .. ':'
    vim.list_extend(question, quote(message.text))
  end
  add('Question', question)
  add(case.judged and 'Answer, as judged' or 'Expected answer', case.answer and quote(case.answer) or {})
  add('Expected outcome', case.expected and quote(case.expected) or {})
  for _, fact in ipairs(case.facts) do
    facts[fact.id] = fact.lines
  end
  add('Grades', #case.item.children > 0 and { '' } or {})
  for _, item in ipairs(case.item.children) do
    states[#lines + 1] = item.result
    vim.list_extend(lines, criterion_lines(item, facts))
  end
  add('Runs', vim.tbl_map(run_line, case.runs))
  for _, prompt in ipairs(case.prompts) do
    add('What the judge of ' .. prompt.grader .. ' is asked', quote(prompt.system .. '\n\n' .. prompt.user))
  end
  return lines, states
end

-- show writes a case into the panel.
local function show(case)
  local lines, states = { 'no case at the cursor' }, {}
  if case and case ~= vim.NIL then
    lines, states = layout(case)
  end
  lines = vim.split(table.concat(lines, '\n'), '\n')
  vim.bo[panel.buf].modifiable = true
  vim.api.nvim_buf_set_lines(panel.buf, 0, -1, false, lines)
  vim.bo[panel.buf].modifiable = false
  for row, result in pairs(states) do
    vim.api.nvim_buf_add_highlight(panel.buf, namespace, result.stale and 'RubricStale' or grades.group(result.state), row - 1, 0, -1)
  end
end

-- refresh shows the case at the cursor of the window with the file.
function M.refresh()
  local window = panel and vim.fn.win_findbuf(panel.source)[1]
  if not window or not vim.api.nvim_buf_is_valid(panel.buf) or #client.clients(panel.source) == 0 then
    return
  end
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(panel.source) },
    position = { line = vim.api.nvim_win_get_cursor(window)[1] - 1, character = 0 },
  }
  params.position.character = #vim.api.nvim_buf_get_lines(panel.source, params.position.line, params.position.line + 1, false)[1]
  client.request(panel.source, 'rubric/casePanel', params, function(case)
    if panel and vim.api.nvim_buf_is_valid(panel.buf) then
      show(case)
    end
  end)
end

-- open opens the panel for a buffer.
function M.open(buf)
  if panel and vim.api.nvim_buf_is_valid(panel.buf) then
    panel.source = buf
    return M.refresh()
  end
  vim.cmd('botright vnew')
  panel = { buf = vim.api.nvim_get_current_buf(), source = buf }
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile, vim.bo.modifiable = 'nofile', 'wipe', false, false
  vim.bo.filetype = 'markdown'
  vim.wo.wrap, vim.wo.linebreak, vim.wo.number, vim.wo.relativenumber = true, true, false, false
  local function on_key(key, command)
    vim.keymap.set('n', key, function()
      local window = vim.fn.win_findbuf(panel.source)[1]
      if command == 'close' then
        vim.cmd('bwipeout')
      elseif window then
        vim.api.nvim_win_call(window, function()
          vim.cmd(command)
        end)
      end
    end, { buffer = panel.buf, nowait = true })
  end
  on_key('r', 'RubricRun')
  on_key('T', 'RubricTarget')
  on_key('J', 'RubricJudge')
  on_key('q', 'close')
  vim.cmd('wincmd p')
  local waiting = false
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, {
    group = vim.api.nvim_create_augroup('rubric_panel', { clear = true }),
    callback = function()
      if waiting then
        return
      end
      waiting = true
      vim.defer_fn(function()
        waiting = false
        local current = vim.api.nvim_get_current_buf()
        if panel and #client.clients(current) > 0 then
          panel.source = current
          M.refresh()
        end
      end, 100)
    end,
  })
  M.refresh()
end

return M
