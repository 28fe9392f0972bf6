-- The editor's own model as a judge: the server's question goes to the function
-- that the person has given as `ask`.
local M = {}

-- offered is that function. Before 0.10 a handler cannot wait without the whole
-- editor, so there none is.
function M.offered()
  return vim.fn.has('nvim-0.10') == 1 and require('rubric').options.ask or nil
end

-- answer asks the model: ask(question, done) gets { system, user, schema } and
-- calls done(text, model), or done(nil, nil, error).
function M.answer(question)
  local ask = M.offered()
  if not ask then
    return nil, { code = -32601, message = 'this editor offers no model' }
  end
  local asking, reply = coroutine.running(), nil
  local waiting = false
  local function done(text, model, err)
    if reply then
      return -- it has answered already
    end
    reply = { text = text, model = model or 'editor', err = err }
    if waiting then
      vim.schedule(function()
        coroutine.resume(asking)
      end)
    end
  end
  local ok, fault = pcall(ask, question, done)
  if not ok then
    done(nil, nil, fault)
  end
  if not reply then
    waiting = true
    coroutine.yield()
  end
  if not reply.text then
    return nil, { code = -32803, message = tostring(reply.err or 'the model gave no answer') }
  end
  return { text = reply.text, model = reply.model }
end

return M
