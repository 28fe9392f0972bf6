---@brief
---
--- https://github.com/rubric-ls/rubric
---
--- `rubric lsp` checks, completes and runs rubrics in LLM eval files: those of AgentV, ADK and promptfoo.

-- vim.lsp.config and vim.lsp.enable (Neovim 0.11 and later) find this file on 'runtimepath'. It needs no other file; the
-- plugin's configuration has more if it is installed.
local has_plugin, client = pcall(require, 'rubric.client')
if has_plugin then
  return client.config()
end

-- names are patterns of paths that may be eval files. The server decides by the text.
local names = {
  '%.eval%.ya?ml$',
  '%.eval%.jsonl?$',
  '/evals/.*%.ya?ml$',
  '/evals/.*%.jsonl$',
  '/%.agentv/[^/]*%.ya?ml$',
  '%.labels%.ya?ml$',
  '/targets%.ya?ml$',
  '/%.rubric%.yaml$',
  '/promptfooconfig%.ya?ml$',
  '/promptfooconfig%.json$',
  '%.evalset%.json$',
  '%.evalset_result%.json$',
  '%.test%.json$',
  '/test_config%.json$',
  '/eval_config%.json$',
}

return {
  cmd = { 'rubric', 'lsp' },
  filetypes = { 'yaml', 'json', 'jsonl' },
  root_dir = function(bufnr, on_dir)
    local path = vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr))
    for _, name in ipairs(names) do
      if path:find(name) then
        on_dir(vim.fs.root(bufnr, { '.rubric.yaml', '.agentv', '.git' }) or vim.fs.dirname(path))
        return
      end
    end
  end,
}
