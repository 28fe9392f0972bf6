-- The editor's own model as a judge. The user's function `ask` answers the server's questions.
local M = {}

-- ask_function returns the user's function, or nil. Before 0.10 a handler blocks the editor while
-- it waits, so the function is not used there.
function M.ask_function()
  return vim.fn.has('nvim-0.10') == 1 and require('rubric').options.ask or nil
end

-- answer asks the model. ask(question, done) gets { system, user, schema } and
-- calls done(text, model) or done(nil, nil, error).
function M.answer(question)
  local ask = M.ask_function()
  if not ask then
    return nil, { code = -32601, message = 'this editor offers no model' }
  end
  local thread, reply = coroutine.running(), nil
  local is_waiting = false
  local function done(text, model, err)
    if reply then
      return -- it has answered already
    end
    reply = { text = text, model = model or 'editor', err = err }
    if is_waiting then
      vim.schedule(function()
        coroutine.resume(thread)
      end)
    end
  end
  local ok, err = pcall(ask, question, done)
  if not ok then
    done(nil, nil, err)
  end
  if not reply then
    is_waiting = true
    coroutine.yield()
  end
  if not reply.text then
    return nil, { code = -32803, message = tostring(reply.err or 'the model gave no answer') }
  end
  return { text = reply.text, model = reply.model }
end

return M
