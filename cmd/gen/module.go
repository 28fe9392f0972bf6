package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/evaluator"
	"github.com/rubric-ls/rubric/wasm/api"
	"github.com/rubric-ls/rubric/wasm/artefact"
	"github.com/rubric-ls/rubric/wasm/parity"
)

// npmModule is where the npm package has its module, and npmParity, in which lines
// are requests and responses by turns, what its tests hold the module against.
const (
	npmModule = "wasm/npm/dist/rubric.wasm"
	npmParity = "wasm/npm/dist/parity.jsonl"
)

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
	requests, err := parity.Requests(root)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, request := range requests {
		fmt.Fprintf(&lines, "%s\n%s\n", request, api.Call(request))
	}
	if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(npmParity)), lines.Bytes(), 0o644); err != nil {
		return err
	}
	return host.WriteFile(filepath.Join(root, filepath.FromSlash(evaluator.EmbeddedPath)), func(w io.Writer) error {
		return evaluator.Pack(w, wasm)
	})
}
