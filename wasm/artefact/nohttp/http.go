// Package http takes the place of net/http in the larger module, which it would
// make half as large again: what the validator of JSON Schemas names of it, without a network.
// The validator would fetch schemas by it, which is kept from it before that
// anyway; here nothing could be.
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
