package lsp

import (
	"fmt"
	"hash/fnv"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// What is told of files is put into messages as the JSON that it is already: the
// protocol's types would have it encoded with each of them.

// encodePublish are the parameters that push what is told of a file, of a version of it
// if that is known.
func encodePublish(u uri.URI, version *int32, items []byte) jsonrpc2.RawMessage {
	out := fmt.Appendf(make([]byte, 0, len(items)+len(u)+50), `{"uri":%s`, quoteJSON(string(u)))
	if version != nil {
		out = fmt.Appendf(out, `,"version":%d`, *version)
	}
	out = append(out, `,"diagnostics":`...)
	out = append(out, items...)
	return append(out, '}')
}

// The kinds of reports.
const (
	reportFull      = "full"
	reportUnchanged = "unchanged"
)

// encodeReport answers what is told of a file, unless that has been reported already.
func encodeReport(items []byte, previousID string) (report []byte, id string) {
	id = resultID(items)
	if id == previousID {
		return fmt.Appendf(nil, `{"kind":%q,"resultId":%q}`, reportUnchanged, id), id
	}
	out := fmt.Appendf(make([]byte, 0, len(items)+60), `{"kind":%q,"resultId":%q,"items":`, reportFull, id)
	out = append(out, items...)
	return append(out, '}'), id
}

// addFile is a report with the file that it is on, and its version if that is open.
func addFile(report []byte, u uri.URI, version *int32) []byte {
	out := fmt.Appendf(report[:len(report)-1], `,"uri":%s,"version":`, quoteJSON(string(u)))
	if version == nil {
		return append(out, `null}`...)
	}
	return fmt.Appendf(out, `%d}`, *version)
}

// resultID names what is told by what it says: the same has the same name in every
// session.
func resultID(items []byte) string {
	sum := fnv.New64a()
	sum.Write(items)
	return fmt.Sprintf("%x-%x", len(items), sum.Sum64())
}

func quoteJSON(s string) []byte {
	encoded, err := codec{}.Marshal(protocol.String(s))
	if err != nil { // a text
		panic(err)
	}
	return encoded
}
