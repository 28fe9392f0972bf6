// Package format tidies lines without changing a value or a comment.
package format
