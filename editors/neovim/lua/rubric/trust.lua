-- Asks the user's consent to what the files of a run name. The server stores it, as `rubric trust` does, and
-- asks again when what would run changes.
local M = {}

-- ask reports whether the user allows the uses of a question.
function M.ask(question)
  local text = 'The files name what would run:\n  ' .. table.concat(question.uses, '\n  ') .. '\nAllow it, until it changes?'
  return vim.fn.confirm(text, '&Allow\n&Not now', 2, 'Question') == 1
end

return M
