package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/wasm/api"
	"github.com/rubric-ls/rubric/wasm/artefact"
	"github.com/rubric-ls/rubric/wasm/parity"
)

// npmModule is the module of the npm package; a page starts with npmSmallModule. The package's tests compare npmModule with npmParity, which alternates requests and
// responses line by line, and with npmInitialize, the language server's capabilities.
const (
	npmModule      = "wasm/npm/dist/rubric.wasm"
	npmSmallModule = "wasm/npm/dist/rubric-small.wasm"
	npmParity      = "wasm/npm/dist/parity.jsonl"
	npmInitialize  = "wasm/npm/dist/initialize.json"
)

// buildModules builds the evaluator modules for the page and the npm package.
// They are not in the repository.
func buildModules(root string) error {
	pathOf := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	if err := os.MkdirAll(filepath.Dir(pathOf(npmModule)), 0o755); err != nil {
		return err
	}
	if err := errors.Join(artefact.Build(pathOf(npmModule)), artefact.BuildSmall(pathOf(npmSmallModule))); err != nil {
		return err
	}
	requests, err := parity.Requests(root)
	if err == nil {
		requests, err = parity.Sample(requests, parity.SampleSize)
	}
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, request := range requests {
		fmt.Fprintf(&lines, "%s\n%s\n", request, api.Call(request))
	}
	if err := os.WriteFile(pathOf(npmParity), lines.Bytes(), 0o644); err != nil {
		return err
	}
	offered, err := initializeResult()
	if err != nil {
		return err
	}
	return os.WriteFile(pathOf(npmInitialize), offered, 0o644)
}

// initializeResult returns the language server's answer to a client that supports
// everything except pull diagnostics.
func initializeResult() ([]byte, error) {
	client, server := net.Pipe()
	go (&lsp.Server{Name: "rubric", Version: api.Version}).Serve(server)
	conn := jsonrpc2.NewConn(jsonrpc2.NewStream(client))
	conn.Go(context.Background(), jsonrpc2.MethodNotFoundHandler)
	defer conn.Close()
	const params = `{"processId":null,"rootUri":null,"capabilities":{
		"general":{"positionEncodings":["utf-16"]},"textDocument":{"rename":{"prepareSupport":true},
		"codeAction":{"dataSupport":true,"resolveSupport":{"properties":["edit"]},"codeActionLiteralSupport":{"codeActionKind":{"valueSet":["quickfix"]}}}}}}`
	var result json.RawMessage
	_, err := conn.Call(context.Background(), protocol.MethodInitialize, json.RawMessage(params), &result)
	return result, err
}
