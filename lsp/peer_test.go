package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	wsjsonrpc2 "github.com/sourcegraph/jsonrpc2/websocket"
	old "github.com/tliron/glsp/protocol_3_16"
)

// TestOldClient uses glsp's LSP 3.16 types on the connection of its server, which must know every field
// that they receive.
func TestOldClient(t *testing.T) {
	ours, theirs := net.Pipe()
	go newServer(nil).Serve(theirs)
	playOldClient(t, jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{}))
	playOldClient(t, wsjsonrpc2.NewObjectStream(dialSocket(t, newServer(nil))))
}

func playOldClient(t *testing.T, stream jsonrpc2.ObjectStream) {
	pushed := make(chan old.PublishDiagnosticsParams, 10)
	conn := jsonrpc2.NewConn(context.Background(), stream,
		jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
			if r.Method == "textDocument/publishDiagnostics" {
				var p old.PublishDiagnosticsParams
				decodeStrictly(t, *r.Params, &p)
				pushed <- p
			}
			return nil, nil
		}))
	defer conn.Close()
	ask := func(method string, params, result any) {
		t.Helper()
		var raw json.RawMessage
		if err := conn.Call(context.Background(), method, params, &raw); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if result != nil {
			decodeStrictly(t, raw, result)
		}
	}
	tell := func(method string, params any) {
		if err := conn.Notify(context.Background(), method, params); err != nil {
			t.Fatal(err)
		}
	}
	yes, root := true, "file:///evals"
	var met old.InitializeResult
	ask("initialize", old.InitializeParams{RootURI: &root, Capabilities: old.ClientCapabilities{
		TextDocument: &old.TextDocumentClientCapabilities{
			PublishDiagnostics: &old.PublishDiagnosticsClientCapabilities{RelatedInformation: &yes, VersionSupport: &yes, CodeDescriptionSupport: &yes},
			CodeAction:         &old.CodeActionClientCapabilities{DataSupport: &yes, IsPreferredSupport: &yes},
		},
	}}, &met)
	tell("initialized", old.InitializedParams{})
	tell("textDocument/didOpen", old.DidOpenTextDocumentParams{TextDocument: old.TextDocumentItem{URI: doc, LanguageID: "yaml", Version: 1, Text: hasOne}})
	if p := <-pushed; len(p.Diagnostics) != 1 || p.Version == nil || *p.Version != 1 {
		t.Errorf("%+v", p)
	}
	var actions []old.CodeAction
	ask("textDocument/codeAction", old.CodeActionParams{TextDocument: old.TextDocumentIdentifier{URI: doc},
		Range: old.Range{Start: old.Position{Line: 2, Character: 5}, End: old.Position{Line: 2, Character: 5}}}, &actions)
	if len(actions) != 2 || actions[0].Edit == nil || len(actions[0].Edit.Changes[doc]) != 1 {
		t.Fatalf("%+v", actions)
	}
	fix := actions[0].Edit.Changes[doc][0]
	tell("textDocument/didChange", old.DidChangeTextDocumentParams{
		TextDocument:   old.VersionedTextDocumentIdentifier{TextDocumentIdentifier: old.TextDocumentIdentifier{URI: doc}, Version: 2},
		ContentChanges: []any{old.TextDocumentContentChangeEvent{Range: &fix.Range, Text: fix.NewText}},
	})
	if p := <-pushed; len(p.Diagnostics) != 0 || *p.Version != 2 {
		t.Errorf("%+v", p)
	}
	ask("shutdown", nil, nil)
	tell("exit", nil)
	<-conn.DisconnectNotify()
}

// decodeStrictly decodes JSON and rejects unknown fields.
func decodeStrictly(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Errorf("%s: %v", raw, err)
	}
}
