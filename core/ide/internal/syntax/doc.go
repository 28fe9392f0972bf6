// Package syntax relates the nodes of a chunk to the field table, and finds words and styles in its text.
package syntax
