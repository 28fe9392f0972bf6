// Package fielddoc documents the keys and values of the field table, in Markdown.
package fielddoc
