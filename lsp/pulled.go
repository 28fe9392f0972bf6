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

// published are the parameters that push what is told of a file, of a version of it
// if that is known.
func published(u uri.URI, version *int32, list []byte) jsonrpc2.RawMessage {
	b := fmt.Appendf(make([]byte, 0, len(list)+len(u)+50), `{"uri":%s`, quoted(string(u)))
	if version != nil {
		b = fmt.Appendf(b, `,"version":%d`, *version)
	}
	b = append(b, `,"diagnostics":`...)
	b = append(b, list...)
	return append(b, '}')
}

// The kinds of reports.
const (
	full      = "full"
	unchanged = "unchanged"
)

// pulled answers what is told of a file, unless that has been reported already.
func pulled(list []byte, reported string) (answer []byte, id string) {
	id = resultID(list)
	if id == reported {
		return fmt.Appendf(nil, `{"kind":%q,"resultId":%q}`, unchanged, id), id
	}
	b := fmt.Appendf(make([]byte, 0, len(list)+60), `{"kind":%q,"resultId":%q,"items":`, full, id)
	b = append(b, list...)
	return append(b, '}'), id
}

// ofFile is a report with the file that it is on, and its version if that is open.
func ofFile(report []byte, u uri.URI, version *int32) []byte {
	b := fmt.Appendf(report[:len(report)-1], `,"uri":%s,"version":`, quoted(string(u)))
	if version == nil {
		return append(b, `null}`...)
	}
	return fmt.Appendf(b, `%d}`, *version)
}

// resultID names what is told by what it says: the same has the same name in every
// session.
func resultID(list []byte) string {
	sum := fnv.New64a()
	sum.Write(list)
	return fmt.Sprintf("%x-%x", len(list), sum.Sum64())
}

func quoted(words string) []byte {
	encoded, err := codec{}.Marshal(protocol.String(words))
	if err != nil { // a text
		panic(err)
	}
	return encoded
}
