package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/evaluator"
	"github.com/rubric-ls/rubric/wasm/artefact"
)

// npmModule is where the npm package has its module.
const npmModule = "wasm/npm/dist/rubric.wasm"

// modules builds the evaluator module for those who carry it: the command line
// and the npm package. Neither copy is in the repository.
func modules(root string) error {
	path := filepath.Join(root, filepath.FromSlash(npmModule))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := artefact.Build(path); err != nil {
		return err
	}
	wasm, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return host.WriteFile(filepath.Join(root, filepath.FromSlash(evaluator.EmbeddedPath)), func(w io.Writer) error {
		return evaluator.Pack(w, wasm)
	})
}
