package lsptest

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// order is what may be said when: a server speaks after it was initialized, its
// answers are to questions, each is answered once, and it sends what is for
// clients.
type order struct {
	asked   map[string]string // methods of requests that were not answered, by id
	started bool
}

// sent notes a request of the editor's.
func (o *order) sent(m Message) {
	if m.Method != "" && m.ID != nil {
		o.asked[string(m.ID)] = m.Method
	}
}

// got notes a message of the server's, gives what kind it is of and what is
// wrong with it.
func (o *order) got(m Message) (kind, fault string) {
	if m.Version != "2.0" {
		return "", "it has no version"
	}
	if m.Method != "" {
		switch {
		case m.Result != nil || m.Error != nil:
			return "", "it is a request and an answer"
		case !o.started && !strings.HasPrefix(m.Method, "window/"):
			return "", "it comes before the answer to initialize"
		case !slices.ContainsFunc(protocol.Methods, func(i protocol.MethodInfo) bool {
			return i.Method == m.Method && i.Direction != protocol.DirectionClientToServer && (i.Kind == "request") == (m.ID != nil)
		}) && !strings.HasPrefix(m.Method, "rubric/"):
			return "", "clients are not sent such"
		}
		return m.Method + " params", ""
	}
	if (m.Result == nil) == (m.Error == nil) {
		return "", "it has neither or both of a result and an error"
	}
	if string(m.ID) == "null" || m.ID == nil {
		return "", "" // of what could not be read
	}
	method, asked := o.asked[string(m.ID)]
	if !asked && m.Error != nil {
		return "", "" // of what a test sent byte by byte
	}
	if !asked {
		return "", "it answers what was not asked, or again"
	}
	delete(o.asked, string(m.ID))
	o.started = o.started || method == protocol.MethodInitialize && m.Error == nil
	return method + " result", ""
}
