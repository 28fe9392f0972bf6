// Package convert writes the cases of one dialect as files of another, AgentV's
// as ADK's and the other way round, and says what is lost on the way: all that the
// other side has no words for, or would score in another way.
//
// What it writes is new and belongs to nobody yet, so it is laid out plainly; the
// file that it reads is never touched. It opens and writes no file.
package convert
