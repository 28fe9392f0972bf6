// Package scalar writes a text as a YAML scalar from which the same text is
// read. Each way of writing is tried on the parser before it is given.
//
// It never decides what to write, and writes nothing but scalars.
package scalar
