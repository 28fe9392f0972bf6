// Package convert rewrites the cases of one dialect as files of another: AgentV as ADK and ADK as
// AgentV. It lists what the other dialect cannot express or would score differently.
//
// It only builds text. It opens and writes no file, and never changes its input.
package convert
