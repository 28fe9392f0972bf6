-- Choices: the judge and the target of runs, and the user's own grades.
local client = require('rubric.client')
local items = require('rubric.items')

local M = {}

local as_files_say = 'as the files say'

-- judges passes the names of the available judges to done.
function M.judges(buf, done)
  client.request(buf, 'rubric/judges', nil, function(result)
    local names = { as_files_say }
    vim.list_extend(names, result.judges)
    if require('rubric.ask').ask_function() then
      names[#names + 1] = 'editor'
    end
    done(names)
  end)
end

-- judge sets the judge, or lets the user choose one.
function M.judge(buf, name)
  local function choose(chosen)
    client.set('judge', chosen ~= as_files_say and chosen or nil)
  end
  if name ~= '' then
    return choose(name)
  end
  M.judges(buf, function(names)
    vim.ui.select(names, { prompt = 'Judge of runs' }, function(chosen)
      if chosen and chosen:find('MODEL', 1, true) then
        vim.ui.input({ prompt = 'Judge: ', default = chosen }, function(model)
          if model and model ~= '' then
            choose(model)
          end
        end)
      elseif chosen then
        choose(chosen)
      end
    end)
  end)
end

-- targets passes what a run of a buffer can grade to done.
function M.targets(buf, done)
  client.request(buf, 'rubric/targets', { textDocument = { uri = vim.uri_from_bufnr(buf) } }, function(result)
    done(result.targets)
  end)
end

-- target sets the target, or lets the user choose what is graded.
function M.target(buf, name)
  M.targets(buf, function(all)
    local function choose(target)
      if not target then
        return
      end
      local uri = vim.uri_from_bufnr(buf)
      if target.recorded then
        client.execute(buf, 'rubric.measureRecording', { uri = uri, recorded = target.name })
      else
        client.execute(buf, 'rubric.measureRecording', { uri = uri })
        client.set('target', target.name ~= '' and target.name or nil)
      end
    end
    if name ~= '' then
      for _, target in ipairs(all) do
        if target.name == name then
          return choose(target)
        end
      end
      return choose({ name = name ~= as_files_say and name or '' })
    end
    vim.ui.select(all, {
      prompt = 'What runs grade',
      format_item = function(target)
        return (target.chosen and '* ' or '  ') .. (target.name ~= '' and target.name .. ': ' or '') .. target.detail
      end,
    }, choose)
  end)
end

-- grade asks the user for a grade of each criterion of a case, and shows the case's score.
function M.grade(buf, id)
  items.get(buf, function(root)
    local criteria = {}
    for _, case in ipairs(root and root.children or {}) do
      if case.target.case == id and #criteria == 0 then
        criteria = vim.tbl_filter(function(item)
          return item.kind == 'criterion'
        end, case.children)
      end
    end
    local grades = {}
    local function ask(i)
      local item = criteria[i]
      if not item then
        local params = { uri = vim.uri_from_bufnr(buf), case = id, grades = grades }
        return client.request(buf, 'rubric/score', params, function(result)
          local text = type(result.score) == 'number' and string.format(', score %.4g', result.score) or ''
          vim.notify('rubric: ' .. table.concat(vim.list_extend({ id .. ': ' .. result.verdict .. text }, result.reasons or {}), '; '))
        end)
      end
      vim.ui.input({ prompt = item.label .. ' (y, n, or 0 to 10): ' }, function(text)
        local answer = text and vim.trim(text):lower() or ''
        if answer == '' then
          return -- the user has left
        end
        local grade = { id = item.target.criterion, score = tonumber(answer) }
        if not grade.score then
          grade.satisfied = answer:sub(1, 1) == 'y'
        end
        grades[i] = grade
        ask(i + 1)
      end)
    end
    ask(1)
  end)
end

return M
