-- The runnable items of a buffer: its suite, cases and criteria, from the server.
local client = require('rubric.client')

local M = {}

-- get passes the tree of a buffer's items to done, or nil if it has no cases.
function M.get(buf, done)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buf) },
    range = { start = { line = 0, character = 0 }, ['end'] = { line = vim.api.nvim_buf_line_count(buf), character = 0 } }, -- with all children
  }
  client.request(buf, 'rubric/testItems', params, function(root)
    done(root ~= vim.NIL and root or nil)
  end)
end

-- each calls visit with an item and all its descendants.
function M.each(item, visit)
  visit(item)
  for _, child in ipairs(item.children) do
    M.each(child, visit)
  end
end

-- case_at passes the id of the case at a line, from 0, to done: the last case that starts at or
-- above the line, or the first case.
function M.case_at(buf, line, done)
  M.get(buf, function(root)
    local found
    for _, item in ipairs(root and root.children or {}) do
      local start = item.range and item.range.start.line or 0
      if not found or start <= line and start >= found.start then
        found = { id = item.target.case, start = start }
      end
    end
    if not found then
      vim.notify('rubric: this file has no cases', vim.log.levels.WARN)
      return
    end
    done(found.id)
  end)
end

local kinds = { suite = 'file', case = 'test', criterion = 'assertion' }

-- positions passes a buffer's items to done in the form of neotest's positions.
function M.positions(buf, done)
  local path = vim.api.nvim_buf_get_name(buf)
  local function to_position(item)
    local range = item.range
    local position = {
      {
        id = item.id,
        type = kinds[item.kind],
        name = item.label,
        path = path,
        range = range and { range.start.line, range.start.character, range['end'].line, range['end'].character },
      },
    }
    for _, child in ipairs(item.children) do
      position[#position + 1] = to_position(child)
    end
    return position
  end
  M.get(buf, function(root)
    done(root and to_position(root))
  end)
end

return M
