// Package schema is the language in which a file format is written down as
// data: which keys a mapping has, and for each its type, default, bounds and
// what it is for, said once.
//
// Validation, hovers, completion, the JSON Schema and the reference in
// Markdown are all derived from such a table. The package holds no table
// itself and reads no file.
package schema
