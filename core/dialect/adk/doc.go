// Package adk is the eval files of Google's Agent Development Kit: evalsets and
// the older lists of turns, the configuration that names metrics, and the result
// files that hold recorded conversations.
//
// [Open] reads a file of any of these, JSON with comments and trailing commas
// too, which ADK refuses. What ADK does with it is said by the field tables and
// by what lowering finds: it [Refuses] a file, a metric comes out not evaluated
// ([Skips]), or something is lost without a word ([Silent]). Two of ADK's own
// rules shape this: criteria are read in two phases, the second one in the middle
// of a run, and a criterion may have any key at all.
//
// The package reads trees only: it opens no file and words no diagnostic.
package adk
