-- A small test library. check.run runs all tests in order, prints a line
-- for each, and exits Neovim with 0 if all passed.
local check = {}

-- patience is the timeout of every wait, in milliseconds.
check.patience = tonumber(vim.env.RUBRIC_PATIENCE or 120000)

local tests = {}

function check.test(name, body)
  tests[#tests + 1] = { name, body }
end

-- check.soon waits until probe returns a true value, and returns that.
function check.soon(what, probe)
  local found
  local ok = vim.wait(check.patience, function()
    found = probe()
    return found
  end, 10)
  assert(ok, 'timed out waiting for ' .. what)
  return found
end

function check.equal(want, got)
  assert(vim.deep_equal(want, got), 'want ' .. vim.inspect(want) .. '\ngot ' .. vim.inspect(got))
end

function check.contains(want, got)
  assert(tostring(got):find(want, 1, true), 'want something with ' .. want .. '\ngot ' .. tostring(got))
end

local function stop()
  local client = require('rubric.client')
  local method = vim.fn.has('nvim-0.11') == 1
  local clients = client.clients()
  for _, c in ipairs(clients) do
    if method then
      c:stop()
    else
      c.stop()
    end
  end
  vim.wait(check.patience, function()
    for _, c in ipairs(clients) do
      local stopped = method and c:is_stopped() or not method and c.is_stopped()
      if not stopped then
        return false
      end
    end
    return true
  end, 20)
end

function check.run()
  local failed = 0
  for _, t in ipairs(tests) do
    local ok, fault = xpcall(t[2], debug.traceback)
    failed = failed + (ok and 0 or 1)
    io.stdout:write((ok and 'ok - ' or 'not ok - ') .. t[1] .. (ok and '' or '\n' .. tostring(fault)) .. '\n')
  end
  stop()
  local v = vim.version()
  io.stdout:write(string.format('nvim %d.%d.%d (%s): %d passed, %d failed\n', v.major, v.minor, v.patch, require('rubric.client').start_method(), #tests - failed, failed))
  vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
end

return check
