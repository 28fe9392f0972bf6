-- The last results against an earlier run, as `rubric runs compare` has it, in the quickfix window.
local client = require('rubric.client')

local M = {}

local types = { loss = 'E', win = 'I', tie = 'I', ungraded = 'W' }

-- add adds the quickfix entries of cases or criteria.
local function add(list, buf, rows, prefix)
  for _, row in ipairs(rows) do
    local start = row.range and row.range.start or { line = 0, character = 0 }
    list[#list + 1] = {
      bufnr = buf,
      lnum = start.line + 1,
      col = start.character + 1,
      type = types[row.outcome],
      text = prefix .. row.label .. ': ' .. row.outcome .. ', ' .. row.text,
    }
    add(list, buf, row.criteria, '    ')
  end
end

-- local_time returns a time of the protocol in the user's zone.
local function local_time(time)
  local seconds = vim.fn.strptime and vim.fn.strptime('%Y-%m-%dT%H:%M:%S%z', (time:gsub('Z$', '+0000'))) or 0
  return seconds > 0 and vim.fn.strftime('%d %b %H:%M', seconds) or time
end

-- choose lets the user choose an earlier run of a buffer's file, and lists what differs.
function M.choose(buf)
  local uri = vim.uri_from_bufnr(buf)
  client.request(buf, 'rubric/compare', { uri = uri }, function(earlier)
    if #earlier.runs == 0 then
      return vim.notify('rubric: this file has no earlier run; run a case again first', vim.log.levels.INFO)
    end
    local function format_item(run)
      return local_time(run.time) .. ', ' .. run.label
    end
    vim.ui.select(earlier.runs, { prompt = 'Compare with', format_item = format_item }, function(run)
      if not run then
        return
      end
      client.request(buf, 'rubric/compare', { uri = uri, run = run.id }, function(result)
        local comparison, list = result.comparison, {}
        for _, note in ipairs(comparison.notes) do
          list[#list + 1] = { text = 'not comparable: ' .. note, type = 'W' }
        end
        add(list, buf, comparison.cases, '')
        vim.fn.setqflist({}, ' ', { title = 'rubric: ' .. comparison.title, items = list })
        vim.notify('rubric: ' .. comparison.title)
        if #list > 0 then
          vim.cmd('botright copen')
        end
      end)
    end)
  end)
end

return M
