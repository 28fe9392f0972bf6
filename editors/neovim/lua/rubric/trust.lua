-- Asks the user to trust the files that name what a run would start or reach, with Neovim's own list of
-- trusted files.
local M = {}

-- is_available reports whether this Neovim has such a list.
function M.is_available()
  return vim.secure ~= nil -- 0.9
end

-- ask reports whether the user trusts every file. A file is asked about again after it has changed.
function M.ask(question)
  vim.notify('rubric: the files name what would run: ' .. table.concat(question.uses, '; '))
  for _, file in ipairs(question.files) do
    if not vim.secure.read(file) then
      return false
    end
  end
  return true
end

return M
