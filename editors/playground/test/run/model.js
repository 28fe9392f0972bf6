// A server with OpenAI's interface and Ollama's, whose answers a test gives.
import { once } from "node:events";
import http from "node:http";
import { after } from "node:test";

/** model is what it was asked, and how it answers: a test sets that. */
export const model = { answer: undefined, asked: [] };

const server = http.createServer(async (request, response) => {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "authorization, content-type");
  if (request.method !== "POST") return response.end();
  let body = "";
  for await (const part of request) body += part;
  const question = JSON.parse(body);
  const { authorization: key, cookie, referer } = request.headers;
  model.asked.push({ path: request.url, key, cookie, referer, body: question });
  await model.answer(question.messages.at(-1).content, response);
}).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  server.close();
  server.closeAllConnections();
});

/** address is where it is. */
export const address = `http://127.0.0.1:${server.address().port}`;

/** reply answers as OpenAI does, well or not. */
export function reply(response, text, status = 200) {
  response.statusCode = status;
  response.end(JSON.stringify(status === 200 ? { model: "m-1", choices: [{ message: { content: text }, finish_reason: "stop" }], usage: { prompt_tokens: 11, completion_tokens: 5 } } : { error: { message: text } }));
}
