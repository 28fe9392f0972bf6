-- Code lenses above cases, and hints and grades after criteria. Without native inlay hints the
-- hints appear at the ends of their lines.
local client = require('rubric.client')

local M = {}

local namespace = vim.api.nvim_create_namespace('rubric')

-- has_native_hints reports whether Neovim supports inlay hints.
local function has_native_hints()
  return vim.lsp.inlay_hint ~= nil and type(vim.lsp.inlay_hint) == 'table'
end

-- show_hints shows hints at the ends of their lines.
local function show_hints(buf, hints)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  local labels = {}
  for _, hint in ipairs(hints or {}) do
    local label = hint.label
    if type(label) == 'table' then
      label = table.concat(vim.tbl_map(function(part)
        return part.value
      end, label))
    end
    local row = hint.position.line
    labels[row] = labels[row] and labels[row] .. '  ' .. label or label
  end
  for row, text in pairs(labels) do
    if row < vim.api.nvim_buf_line_count(buf) then
      vim.api.nvim_buf_set_extmark(buf, namespace, row, 0, { virt_text = { { text, 'Comment' } }, hl_mode = 'combine' })
    end
  end
end

local function refresh_hints(buf)
  local last = vim.api.nvim_buf_line_count(buf)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buf) },
    range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } },
  }
  client.request(buf, 'textDocument/inlayHint', params, function(all)
    show_hints(buf, all ~= vim.NIL and all or {})
  end)
end

-- refresh updates the lenses and hints of a buffer.
local function refresh(buf)
  if #client.clients(buf) == 0 then
    return
  end
  local options = require('rubric').options
  if options.lenses and not vim.lsp.codelens.enable then
    vim.api.nvim_buf_call(buf, vim.lsp.codelens.refresh)
  end
  if options.hints and not has_native_hints() then
    refresh_hints(buf)
  end
end

-- attach shows lenses and hints in a buffer from now on.
function M.attach(buf)
  local options = require('rubric').options
  if options.lenses and vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buf }) -- 0.12
  end
  if options.hints and has_native_hints() then
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

-- refresh_file updates the buffer of a file, once for many results that arrive together.
function M.refresh_file(uri)
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
