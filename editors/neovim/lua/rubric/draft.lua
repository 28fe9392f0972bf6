-- The preview of drafted criteria: a diff to keep, discard, or draft again.
local client = require('rubric.client')

local M = {}

-- edits_of returns the text edits of a workspace edit, which are of one file, and its URI.
local function edits_of(edit)
  local change = (edit.documentChanges or {})[1]
  if change then
    return change.edits, change.textDocument.uri
  end
  local uri = next(edit.changes or {})
  return uri and edit.changes[uri], uri
end

-- drafted returns the lines of a buffer with edits.
local function drafted(lines, edits, encoding)
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, lines)
  vim.lsp.util.apply_text_edits(vim.deepcopy(edits), scratch, encoding)
  local result = vim.api.nvim_buf_get_lines(scratch, 0, -1, false)
  vim.api.nvim_buf_delete(scratch, { force = true })
  return result
end

-- open shows lines in a split, and returns its window and buffer.
local function open(lines)
  vim.cmd('botright ' .. math.min(#lines, math.floor(vim.o.lines / 2)) .. 'new')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile, vim.bo.modifiable = 'nofile', 'wipe', false, false
  vim.bo.filetype = 'diff'
  return vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
end

-- preview shows what an edit changes in a buffer. Nothing is changed before the user keeps it.
local function preview(buf, edits, encoding, label)
  local tick, case = vim.api.nvim_buf_get_changedtick(buf), M.case
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local function text(all)
    return table.concat(all, '\n') .. '\n'
  end
  local diff = vim.diff(text(lines), text(drafted(lines, edits, encoding)), { ctxlen = 2 })
  local shown = { label, 'Keep: <CR>   Discard: q   Regenerate: r', '' }
  vim.list_extend(shown, vim.split(vim.trim(diff), '\n'))
  local source = vim.fn.win_findbuf(buf)[1]
  local window, split = open(shown)
  local function on_key(key, act)
    vim.keymap.set('n', key, function()
      vim.api.nvim_win_close(window, true)
      if source and vim.api.nvim_win_is_valid(source) then
        vim.api.nvim_set_current_win(source)
      end
      act()
    end, { buffer = split, nowait = true })
  end
  on_key('<CR>', function()
    if not vim.api.nvim_buf_is_valid(buf) or vim.api.nvim_buf_get_changedtick(buf) ~= tick then
      return vim.notify('rubric: no rubric was inserted: the document has changed', vim.log.levels.WARN)
    end
    vim.lsp.util.apply_text_edits(edits, buf, encoding)
  end)
  on_key('r', function()
    client.execute(buf, 'rubric.generateRubrics', case)
  end)
  for _, key in ipairs({ 'q', '<Esc>' }) do
    on_key(key, function() end)
  end
end

-- generate drafts criteria for a case: the argument of the server's command.
function M.generate(buf, case)
  M.case = case
  client.execute(buf, 'rubric.generateRubrics', case)
end

-- offer shows the preview of an edit by the server. It reports that the edit is not applied, because the
-- user decides later.
function M.offer(params, encoding)
  local edits, uri = edits_of(params.edit)
  local buf = uri and vim.fn.bufnr(vim.uri_to_fname(uri)) or -1
  if buf >= 0 then
    vim.schedule(function()
      preview(buf, edits, encoding, params.label)
    end)
  end
  return { applied = false }
end

return M
