-- What stands beside the text: lenses above cases, hints and grades after
-- criteria. Both are the server's words; where Neovim has no hints of its own
-- they are put at the end of their lines.
local client = require('rubric.client')

local M = {}

local space = vim.api.nvim_create_namespace('rubric')

-- native reports whether Neovim shows hints by itself.
local function native()
  return vim.lsp.inlay_hint ~= nil and type(vim.lsp.inlay_hint) == 'table'
end

-- put shows hints at the ends of their lines.
local function put(buf, hints)
  vim.api.nvim_buf_clear_namespace(buf, space, 0, -1)
  local words = {}
  for _, hint in ipairs(hints or {}) do
    local label = hint.label
    if type(label) == 'table' then
      label = table.concat(vim.tbl_map(function(part)
        return part.value
      end, label))
    end
    local row = hint.position.line
    words[row] = words[row] and words[row] .. '  ' .. label or label
  end
  for row, said in pairs(words) do
    if row < vim.api.nvim_buf_line_count(buf) then
      vim.api.nvim_buf_set_extmark(buf, space, row, 0, { virt_text = { { said, 'Comment' } }, hl_mode = 'combine' })
    end
  end
end

local function hints(buf)
  local last = vim.api.nvim_buf_line_count(buf)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buf) },
    range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } },
  }
  client.request(buf, 'textDocument/inlayHint', params, function(all)
    put(buf, all ~= vim.NIL and all or {})
  end)
end

-- refresh renews what a buffer shows.
local function refresh(buf)
  if #client.clients(buf) == 0 then
    return
  end
  local options = require('rubric').options
  if options.lenses and not vim.lsp.codelens.enable then
    vim.api.nvim_buf_call(buf, vim.lsp.codelens.refresh)
  end
  if options.hints and not native() then
    hints(buf)
  end
end

-- show has a buffer show lenses and hints from now on.
function M.show(buf)
  local options = require('rubric').options
  if options.lenses and vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buf }) -- 0.12
  end
  if options.hints and native() then
    vim.lsp.inlay_hint.enable(true, { bufnr = buf })
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = vim.api.nvim_create_augroup('rubric_views_' .. buf, { clear = true }),
    buffer = buf,
    callback = function()
      refresh(buf)
    end,
  })
  refresh(buf)
end

local pending = {}

-- changed renews what a file's buffer shows of results, once for many that come
-- together.
function M.changed(uri)
  local buf = vim.fn.bufnr(vim.uri_to_fname(uri))
  if buf < 0 or pending[buf] then
    return
  end
  pending[buf] = true
  vim.defer_fn(function()
    pending[buf] = nil
    if vim.api.nvim_buf_is_loaded(buf) then
      refresh(buf)
    end
  end, 100)
end

return M
