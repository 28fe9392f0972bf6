// Package apiserver encodes requests to ADK's API server and decodes what it answers. It sends
// nothing. `adk api_server` and `adk web` have the same interface.
//
// The forms below are those of adk-python at bb56aa56f (2026-07-22); files are named below
// src/google/adk. Earlier versions have the same, back to 1.4.2, where the last column says nothing else.
//
//	request                                             source                          earlier
//	GET  /list-apps                                     cli/api_server.py list_apps
//	     → ["app", …]
//	GET  /apps/APP/app-info                             get_adk_app_info                404, then no details
//	     → {"agents": {NAME: {"name", "instruction", "tools": […]}}}
//	POST /apps/APP/users/USER/sessions                  create_session,                 chooses the id itself
//	     {"sessionId", "state"} → {"id", "state", …}    CreateSessionRequest
//	GET  /apps/APP/users/USER/sessions/ID               get_session, sessions/session.py
//	     → {"id", "appName", "userId", "state", "events": […], "lastUpdateTime"}
//	POST /run_sse                                       run_agent_sse, RunAgentRequest
//	     {"appName", "userId", "sessionId", "newMessage", "streaming": false}
//	     → text/event-stream with one event in each `data:` line
//
// Keys are in camelCase, and keys without a value are left out (response_model_exclude_none,
// model_dump_json(exclude_none, by_alias)). Servers accept both spellings of keys in requests.
//
// Statuses: 404 for an unknown app or session, with {"detail": "Session not found: ID"}; 409 for a
// session that exists; 422 for a request of another form, with a list under "detail"; 500 for a
// failure. After the stream has begun, an exception of the agent is a line
// `data: {"error": "TYPE: MESSAGE", "error_details": {…}}`. In 1.4.2 its quotes are not escaped, so
// that it may not be JSON.
//
// Of an event (events/event.py, models/llm_response.py) these keys are read:
//
//	author                         the agent's name, or `user`
//	invocationId                   the turn
//	timestamp                      in seconds since 1970
//	content                        {"role", "parts": [{"text" | "functionCall" | "functionResponse" | …}]}
//	partial                        an unfinished text, which a stream without streaming does not have
//	actions.skipSummarization      the event is an answer although it holds a tool's response
//	longRunningToolIds             likewise
//	errorCode, errorMessage        the model's error in place of content
//	usageMetadata, modelVersion    the model's call; promptTokenCount, candidatesTokenCount, thoughtsTokenCount, …
//
// A turn becomes an invocation as in EvaluationGenerator.convert_events_to_eval_invocations
// (evaluation/evaluation_generator.py): the last event with content that is_final_response (event.py)
// is the final response, and all others with a text, a call, a response or data are its events. As in
// version 2.10, the events keep the models' calls; that of the final response has no content. The
// instructions and tools, which ADK takes from requests to models, are those of app-info.
package apiserver
