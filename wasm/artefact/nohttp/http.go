// Package http replaces net/http in the larger module, which net/http would make half
// as large again. It has what the JSON Schema validator uses of net/http, without a
// network. Package jsonschema already refuses schemas that refer to others.
package http

import (
	"errors"
	"io"
	"io/fs"
)

// FileSystem opens files by their names.
type FileSystem interface {
	Open(name string) (File, error)
}

// File is what a FileSystem opens.
type File interface {
	io.ReadSeekCloser
	Readdir(count int) ([]fs.FileInfo, error)
	Stat() (fs.FileInfo, error)
}

// Response is what an address would answer.
type Response struct {
	Status     string
	StatusCode int
	Body       io.ReadCloser
}

// StatusOK is the code of an answer that is none of an error.
const StatusOK = 200

// Get refuses.
func Get(string) (*Response, error) { return nil, errors.New("nothing is fetched here") }
