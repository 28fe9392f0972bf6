// Package jsonlist writes a list of JSON item by item, as encoding/json would all of it:
// ten thousand findings, or records, need not be in memory as text at once.
//
// It knows nothing of what the items are.
package jsonlist
