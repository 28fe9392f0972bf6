-- Code lenses above cases, hints after criteria, and results. Without native inlay hints the hints
-- appear at the ends of their lines.
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

-- redraw_hints makes Neovim draw native hints again, which versions before 0.12 do only after an edit.
local function redraw_hints(buf)
  if vim.fn.has('nvim-0.12') == 0 and vim.lsp.inlay_hint.is_enabled({ bufnr = buf }) then
    vim.lsp.inlay_hint.enable(false, { bufnr = buf })
    vim.lsp.inlay_hint.enable(true, { bufnr = buf })
  end
end

-- refresh updates the views of a buffer. has_results says that a run has changed them.
local function refresh(buf, has_results)
  if #client.clients(buf) == 0 then
    return
  end
  local options = require('rubric').options
  if options.lenses and not vim.lsp.codelens.enable then
    -- codelens.refresh asks nothing while a request is under way, so the last change could be missed.
    vim.lsp.buf_request(buf, 'textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(buf) } }, vim.lsp.codelens.on_codelens)
  end
  if options.hints and not has_native_hints() then
    refresh_hints(buf)
  elseif options.hints and has_results then
    redraw_hints(buf)
  end
  if options.grades then
    require('rubric.grades').refresh(buf)
  end
  if has_results and vim.lsp.diagnostic.on_diagnostic then -- 0.10 asks again after an edit only, and 0.12 leaves out open files
    vim.lsp.buf_request(buf, 'textDocument/diagnostic', { textDocument = { uri = vim.uri_from_bufnr(buf) } })
  end
  require('rubric.panel').refresh()
end

local pending = {} -- whether results wait, by buffer with a pending refresh

-- refresh_soon updates the views of a buffer, once for many changes that arrive together.
local function refresh_soon(buf, has_results)
  if pending[buf] == nil then
    vim.defer_fn(function()
      local results = pending[buf]
      pending[buf] = nil
      if vim.api.nvim_buf_is_loaded(buf) then
        refresh(buf, results)
      end
    end, 100)
  end
  pending[buf] = pending[buf] or has_results or false
end

-- attach shows lenses, hints and results in a buffer from now on.
function M.attach(buf)
  local options = require('rubric').options
  if options.lenses and vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buf }) -- 0.12
  end
  if options.hints and has_native_hints() then
    vim.lsp.inlay_hint.enable(true, { bufnr = buf })
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged', 'WinScrolled' }, {
    group = vim.api.nvim_create_augroup('rubric_views_' .. buf, { clear = true }),
    buffer = buf,
    callback = function()
      refresh_soon(buf)
    end,
  })
  refresh_soon(buf)
end

-- refresh_file updates the buffer of a file after a run has changed its results.
function M.refresh_file(uri)
  local buf = vim.fn.bufnr(vim.uri_to_fname(uri))
  if buf >= 0 then
    refresh_soon(buf, true)
  end
end

-- refresh_all updates all buffers.
function M.refresh_all()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if #client.clients(buf) > 0 then
      refresh_soon(buf, true)
    end
  end
end

-- clear removes the results of a server that has ended.
function M.clear()
  require('rubric.grades').clear()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
    if vim.lsp.codelens.clear and not vim.lsp.codelens.enable and #client.clients(buf) == 0 then
      pcall(vim.lsp.codelens.clear, nil, buf) -- 0.9 to 0.11
    end
  end
end

return M
