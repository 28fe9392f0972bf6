-- Found on 'runtimepath' by vim.lsp.config and vim.lsp.enable (Neovim 0.11 and later).
return require('rubric.client').config()
