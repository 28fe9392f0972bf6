-- The LSP client: its configuration, its start by each of Neovim's three APIs, and requests.
local M = {}

local filetypes = { 'yaml.rubric', 'json.rubric' }

-- start_method names the API that this Neovim has for starting servers. Tests replace api, which
-- is vim.lsp by default.
function M.start_method(api)
  api = api or vim.lsp
  if type(api.config) == 'table' and type(api.enable) == 'function' then
    return 'config' -- 0.11
  end
  if type(api.start) == 'function' then
    return 'start' -- 0.8
  end
  return 'start_client'
end

-- before_init adds the current options to the server's first message.
local function before_init(params)
  require('rubric.server').set('starting')
  local options = require('rubric').options
  if options.trusted ~= nil then
    params.initializationOptions = { trusted = options.trusted }
  end
  local capabilities = params.capabilities
  capabilities.workspace.configuration = true -- Neovim 0.7 answers, but does not say so
  capabilities.workspace.inlayHint = { refreshSupport = true } -- versions before 0.10 have no hints of their own
  capabilities.experimental = vim.tbl_deep_extend('force', capabilities.experimental or {}, {
    rubric = {
      ask = require('rubric.ask').ask_function() ~= nil,
      trust = true,
      results = options.grades,
      choose = true,
    },
  })
end

-- of_lens returns a command of a lens, which runs for its buffer with its argument.
local function of_lens(run)
  return function(command, context)
    run(context.bufnr or vim.api.nvim_get_current_buf(), command.arguments[1])
  end
end

local client_ids = {} -- client ids by folder, for versions of Neovim that do not reuse clients

-- on_exit handles the end of a client.
local function on_exit(code, signal, id)
  for folder, known in pairs(client_ids) do
    if known == id then
      client_ids[folder] = nil
    end
  end
  vim.schedule(function()
    require('rubric.server').exited(code, signal)
  end)
end

-- settings returns the current settings in the form of the protocol.
local function settings()
  local current = require('rubric').options.settings
  return { rubric = next(current) and current or vim.empty_dict() }
end

-- apply_settings makes the current settings those of a client, where older and newer versions look.
local function apply_settings(client)
  client.config.settings = settings()
  client.settings = client.config.settings
end

-- config returns the client's configuration.
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
    settings = settings(),
    before_init = before_init,
    commands = {
      ['rubric.generateRubrics'] = of_lens(function(buf, target)
        require('rubric.draft').generate(buf, target)
      end),
      ['rubric.target.choose'] = of_lens(function(buf)
        require('rubric.choose').target(buf, '')
      end),
      ['rubric.case'] = of_lens(function(buf)
        require('rubric.panel').open(buf)
      end),
      ['rubric.results'] = of_lens(function(buf)
        require('rubric.results').quickfix(buf, true)
      end),
    },
    on_init = function(client)
      apply_settings(client) -- Neovim 0.11 and later keep the configuration of the first start
      require('rubric.server').set('running')
    end,
    on_exit = on_exit,
    handlers = {
      ['window/logMessage'] = function(_, params)
        require('rubric.server').log(params.message)
      end,
      -- The server sends this when results, settings or targets have changed.
      ['workspace/inlayHint/refresh'] = function(...)
        require('rubric.views').refresh_all()
        local default = vim.lsp.handlers['workspace/inlayHint/refresh']
        return default and default(...) or vim.NIL
      end,
      ['workspace/applyEdit'] = function(_, params, context)
        return require('rubric.draft').offer(params, vim.lsp.get_client_by_id(context.client_id).offset_encoding)
      end,
      ['rubric/results'] = function(err, params)
        if not err then
          require('rubric.results').update(params)
        end
      end,
      ['rubric/ask'] = function(_, question)
        return require('rubric.ask').answer(question)
      end,
      ['rubric/trust'] = function(_, question)
        return { trusted = require('rubric.trust').ask(question) }
      end,
    },
  }
end

-- root returns the root folder of a buffer's file.
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

-- attach starts a server for a buffer.
function M.attach(buf)
  if M.start_method() == 'config' then
    vim.api.nvim_exec_autocmds('FileType', { group = 'nvim.lsp.enable', buffer = buf })
    return
  end
  if vim.api.nvim_buf_get_name(buf) == '' or vim.bo[buf].buftype ~= '' then
    return
  end
  local config = M.config()
  config.root_dir = root(buf)
  if M.start_method() == 'start' then
    vim.lsp.start(config, { bufnr = buf })
    return
  end
  config.on_attach = function(_, attached)
    require('rubric.views').attach(attached)
  end
  local id = client_ids[config.root_dir]
  if not id then
    id = vim.lsp.start_client(config)
    client_ids[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(buf, id)
  end
end

-- start starts a server for each buffer with an eval file from now on.
function M.start()
  local group = vim.api.nvim_create_augroup('rubric', { clear = true })
  if vim.fn.exists('##LspAttach') == 1 then
    vim.api.nvim_create_autocmd('LspAttach', {
      group = group,
      callback = function(event)
        local client = vim.lsp.get_client_by_id(event.data.client_id)
        if client and client.name == 'rubric' then
          require('rubric.views').attach(event.buf)
        end
      end,
    })
  end
  if M.start_method() == 'config' then
    vim.lsp.enable('rubric')
    vim.api.nvim_create_autocmd('FileType', { -- Neovim starts nothing then, and does not say so
      group = group,
      pattern = filetypes,
      once = true,
      callback = function()
        local cmd = require('rubric').options.cmd
        if type(cmd) == 'table' and vim.fn.executable(cmd[1]) == 0 then
          vim.notify('rubric: `' .. cmd[1] .. '` is not found; :checkhealth rubric says more', vim.log.levels.WARN)
        end
      end,
    })
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = filetypes,
    callback = function()
      M.attach(tonumber(vim.fn.expand('<abuf>')))
    end,
  })
end

-- clients returns the running clients, of all buffers or of one.
function M.clients(buf)
  local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  return vim.tbl_filter(function(client)
    return client.name == 'rubric' and (not buf or vim.lsp.buf_is_attached(buf, client.id))
  end, all)
end

-- is_ready reports whether a server answers requests about a buffer.
function M.is_ready(buf)
  local client = M.clients(buf)[1]
  return client ~= nil and client.initialized == true
end

-- call calls a method of a client, as this Neovim expects it.
local function call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

-- stop stops a client.
function M.stop(client)
  call(client, 'stop')
end

-- set changes a setting of all servers, until Neovim ends.
function M.set(name, value)
  require('rubric').options.settings[name] = value
  for _, client in ipairs(M.clients()) do
    apply_settings(client)
    call(client, 'notify', 'workspace/didChangeConfiguration', { settings = settings() })
  end
  require('rubric.views').refresh_all()
end

-- request sends a request to the server of a buffer and passes the result to done. Errors are
-- shown. A result that arrives after the buffer is gone is dropped.
function M.request(buf, method, params, done)
  local client = M.clients(buf)[1]
  if not client then
    local state = require('rubric.server').state
    vim.notify('rubric: no server runs for this buffer (' .. state .. '); :RubricRestart starts one, :checkhealth rubric says more', vim.log.levels.WARN)
    return
  end
  local function on_response(err, result)
    if err then
      vim.notify('rubric: ' .. err.message, vim.log.levels.WARN)
    elseif vim.api.nvim_buf_is_valid(buf) and done then
      done(result)
    end
  end
  call(client, 'request', method, params, on_response, buf)
end

-- execute executes a command of the server.
function M.execute(buf, command, argument, done)
  M.request(buf, 'workspace/executeCommand', { command = command, arguments = { argument } }, done)
end

return M
