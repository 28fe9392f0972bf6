-- What can be run in a buffer: its suite, cases and criteria, as the server
-- tells them.
local client = require('rubric.client')

local M = {}

-- of gives the tree of a buffer's items to done: nil if it has no cases.
function M.of(buf, done)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buf) } }
  client.request(buf, 'rubric/testItems', params, function(root)
    done(root ~= vim.NIL and root or nil)
  end)
end

-- each calls visit with an item and all below it.
function M.each(item, visit)
  visit(item)
  for _, child in ipairs(item.children) do
    M.each(child, visit)
  end
end

-- case gives the id of the case that the cursor is in to done: the last that
-- begins at or above a line (from 0), the first if there is none.
function M.case(buf, line, done)
  M.of(buf, function(root)
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

-- positions gives a buffer's items to done in the shape of neotest's positions.
function M.positions(buf, done)
  local path = vim.api.nvim_buf_get_name(buf)
  local function shape(item)
    local range = item.range
    local shaped = {
      {
        id = item.id,
        type = kinds[item.kind],
        name = item.label,
        path = path,
        range = range and { range.start.line, range.start.character, range['end'].line, range['end'].character },
      },
    }
    for _, child in ipairs(item.children) do
      shaped[#shaped + 1] = shape(child)
    end
    return shaped
  end
  M.of(buf, function(root)
    done(root and shape(root))
  end)
end

return M
