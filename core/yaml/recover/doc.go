// Package recover reads YAML that the library go.yaml.in/yaml/v4 rejects, so that one broken line
// costs that line and not the file.
//
// An editor shows a text that is broken most of the time: its user is typing it. The library is
// built for finished texts. It stops at the first error and returns nothing of what it read before.
// A parser of our own could go on, but YAML is large, and two parsers of it never agree. So this
// package has none. It changes the text until the library accepts it.
//
// The change is always the same: white space of the same length takes the place of a part. Every
// offset stays valid, and the tree of the changed text is a tree of the original. What was left out
// becomes a [Problem] with its span. A line that is left out as a whole becomes a comment, because
// spaces alone would be content of a block scalar above it.
//
// The question is which part to leave out. The place where the library stops is a poor guide. An
// open quote swallows lines until another quote closes it, and the error is there. A misplaced key
// is an error of the line after it. So candidates are tried, the likeliest first, and the library
// decides ([Recover]):
//
//  1. Brackets that are open at the end, as in JSON that is being typed, are closed (candidates.go).
//  2. The markers of a merge conflict (cut.go).
//  3. Each part by itself. A part is an item of a list under a top-level key, or other text under
//     such a key, judged by indentation alone (cut.go). Parts keep one mistake from harming the
//     others. Inside a part, suspect lines are tried one by one: those that open a quote or bracket
//     that they do not close, the line of the failure, the lines above it (candidates.go). The first
//     cut that makes the part readable wins, or else the one with which the library gets furthest.
//  4. Parts that do not fit together, such as list items among keys.
//  5. Everything from the failure on, and at last everything.
//
// A cut prefers the value of a line to its key, the key to the dash of its item, and keeps the dash
// as long as it can: without it the items around it run together and the index of every later item
// changes (cut.go, lineCuts).
//
// Each attempt parses text, and a hostile text needs many. A budget of bytes, in proportion to the
// text, bounds them all. Without budget the remaining steps cut in larger parts.
//
// Messages come from the lost text first (report.go): what a line looks like says more to its author
// than a state of the library's grammar.
package recover
