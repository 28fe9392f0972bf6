// Package assertion reads assertion lists, the way in which the newer versions
// of the dialect name a case's graders: plain texts, rubrics, looks at the
// answer's text, programs, limits and sets of these.
//
// A [Reader] does as the reference implementation's loader of its [Version]
// does, including what that skips and refuses, and remembers each such thing as
// a loss. Trees with endless aliases must not be handed to it.
//
// The package opens no file: templates that a list includes are found by the
// reader's host. It words no diagnostic.
package assertion
