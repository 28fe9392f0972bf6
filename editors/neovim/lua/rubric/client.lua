-- The server's client: how it is started, in each of Neovim's three ways, and
-- how it is reached.
local M = {}

local filetypes = { 'yaml.rubric', 'json.rubric' }

-- way names which of Neovim's ways of starting a server there is. api is
-- vim.lsp, or what a test has in its place.
function M.way(api)
  api = api or vim.lsp
  if type(api.config) == 'table' and type(api.enable) == 'function' then
    return 'config' -- 0.11
  end
  if type(api.start) == 'function' then
    return 'start' -- 0.8
  end
  return 'start_client'
end

-- introduce adds what only the moment of the start can tell to the server's
-- first message.
local function introduce(params)
  local options = require('rubric').options
  params.initializationOptions = { trusted = options.trusted }
  if require('rubric.ask').offered() then
    local capabilities = params.capabilities
    capabilities.experimental = vim.tbl_deep_extend('force', capabilities.experimental or {}, { rubric = { ask = true } })
  end
end

-- config is the client's configuration.
function M.config()
  local options = require('rubric').options
  return {
    name = 'rubric',
    cmd = options.cmd,
    filetypes = filetypes,
    root_markers = { '.rubric.yaml', '.agentv', '.git' },
    get_language_id = function(_, filetype)
      return (filetype:gsub('%.rubric$', ''))
    end,
    settings = { rubric = next(options.settings) and options.settings or vim.empty_dict() },
    before_init = introduce,
    handlers = {
      ['rubric/results'] = function(err, params)
        if not err then
          require('rubric.results').take(params)
        end
      end,
      ['rubric/ask'] = function(_, question)
        return require('rubric.ask').answer(question)
      end,
    },
  }
end

-- root is the folder that a buffer's file belongs to.
local function root(buf)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':p:h')
  for _, marker in ipairs(M.config().root_markers) do
    local found = vim.fn.finddir(marker, folder .. ';')
    if found == '' then
      found = vim.fn.findfile(marker, folder .. ';')
    end
    if found ~= '' then
      return (vim.fn.fnamemodify(found, ':p'):gsub('/$', ''):gsub('/[^/]*$', ''))
    end
  end
  return folder
end

local began = {} -- the clients of folders, where Neovim does not find them again itself

-- attach has a buffer served, where Neovim does not do so by itself.
local function attach(buf)
  if vim.api.nvim_buf_get_name(buf) == '' or vim.bo[buf].buftype ~= '' then
    return
  end
  local config = M.config()
  config.root_dir = root(buf)
  if M.way() == 'start' then
    vim.lsp.start(config, { bufnr = buf })
    return
  end
  config.on_attach = function(_, attached)
    require('rubric.views').show(attached)
  end
  local id = began[config.root_dir]
  if not id or vim.lsp.client_is_stopped(id) then
    id = vim.lsp.start_client(config)
    began[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(buf, id)
  end
end

-- start has every buffer with an eval file served from now on.
function M.start()
  local group = vim.api.nvim_create_augroup('rubric', { clear = true })
  if vim.fn.exists('##LspAttach') == 1 then
    vim.api.nvim_create_autocmd('LspAttach', {
      group = group,
      callback = function(event)
        local client = vim.lsp.get_client_by_id(event.data.client_id)
        if client and client.name == 'rubric' then
          require('rubric.views').show(event.buf)
        end
      end,
    })
  end
  if M.way() == 'config' then
    vim.lsp.enable('rubric')
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = filetypes,
    callback = function()
      attach(tonumber(vim.fn.expand('<abuf>')))
    end,
  })
end

-- clients are the running ones, of a buffer if one is given.
function M.clients(buf)
  local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  return vim.tbl_filter(function(client)
    return client.name == 'rubric' and (not buf or vim.lsp.buf_is_attached(buf, client.id))
  end, all)
end

-- request asks the server of a buffer; done gets its answer. What it refuses is
-- shown, and what comes after the buffer is gone is not heard.
function M.request(buf, method, params, done)
  local client = M.clients(buf)[1]
  if not client then
    vim.notify('rubric: no server runs for this buffer; see :checkhealth rubric', vim.log.levels.WARN)
    return
  end
  local function answered(err, result)
    if err then
      vim.notify('rubric: ' .. err.message, vim.log.levels.WARN)
    elseif vim.api.nvim_buf_is_valid(buf) and done then
      done(result)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, answered, buf)
  else
    client.request(method, params, answered, buf)
  end
end

-- execute has the server follow a command.
function M.execute(buf, command, argument, done)
  M.request(buf, 'workspace/executeCommand', { command = command, arguments = { argument } }, done)
end

return M
