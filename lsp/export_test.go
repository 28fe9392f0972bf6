package lsp

import (
	"encoding/json"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// Methods returns the methods that clients may send, with the capabilities that each adds for a
// client that supports everything.
func Methods() map[string][]string {
	c := &cache.Client{PullsDiagnostics: true, Client: ide.Client{CanResolveEdits: true, HasActionLiterals: true}}
	all := map[string][]string{protocol.MethodExit: nil, protocol.MethodCancelRequest: nil}
	for _, r := range allRoutes() {
		all[r.method] = append(all[r.method], nil...) // a server's own method keeps what its feature offers
		if r.offer == nil {
			continue
		}
		var o protocol.ServerCapabilities
		r.offer(&o, c)
		var keys map[string]json.RawMessage
		encoded, err := transport.Codec{}.Marshal(&o)
		if err == nil {
			err = json.Unmarshal(encoded, &keys)
		}
		if err != nil {
			panic(err)
		}
		for key := range keys {
			all[r.method] = append(all[r.method], key)
		}
	}
	return all
}
