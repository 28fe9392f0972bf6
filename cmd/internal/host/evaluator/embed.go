package evaluator

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"

	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
)

//go:embed all:embedded
var embedded embed.FS

// EmbeddedPath is where the module must be, below the repository's root, when the command line is
// built.
const EmbeddedPath = "cmd/internal/host/evaluator/embedded/rubric.wasm.gz"

var errNotEmbedded = errors.New("this rubric was built without its evaluator module; `make build` builds one with it")

// ReadEmbedded returns the module that was built into this program.
func ReadEmbedded() ([]byte, error) {
	packed, err := embedded.ReadFile("embedded/rubric.wasm.gz")
	if err != nil {
		return nil, errNotEmbedded
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("embedded evaluator module: %w", err)
	}
	return io.ReadAll(reader)
}

// OpenEmbedded compiles the module that was built into this program, or loads it from the
// compilation cache.
func OpenEmbedded(ctx context.Context) (*Module, error) {
	wasm, err := ReadEmbedded()
	if err != nil {
		return nil, err
	}
	return Open(ctx, wasm, wasi.Settings{Memory: MaxMemory, Cache: wasi.CacheFolder()})
}

// Pack compresses a module as ReadEmbedded expects it. Equal modules give equal bytes.
func Pack(w io.Writer, wasm []byte) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = packed.Write(wasm)
	return errors.Join(err, packed.Close())
}
