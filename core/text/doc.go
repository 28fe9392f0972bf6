// Package text holds one immutable buffer and every conversion between the
// ways its places are named.
//
// Inside the program a place is a byte offset and an interval is a [Span].
// Outside, it is a line and a column counted in the units a client asked for
// (UTF-8, UTF-16 or UTF-32 code units). Only this package converts, and its
// methods are named from the one to the other: OffsetPosition, PositionOffset.
//
// Lines are the Language Server Protocol's: they end at "\n", "\r\n" or a lone
// "\r", and nowhere else. YAML also breaks lines at NEL, LS and PS; that is
// package yaml's business.
//
// The package never reads files, never parses and never fails: an offset or a
// position outside the text is moved to the nearest place inside it.
package text
