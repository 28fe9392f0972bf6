package lsptest

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// protocolState is what may be said when: a server speaks after it was initialized, its
// answers are to questions, each is answered once, and it sends what is for
// clients.
type protocolState struct {
	pending     map[string]string // methods of requests that were not answered, by id
	initialized bool
}

// recordRequest notes a request of the editor's.
func (s *protocolState) recordRequest(m Message) {
	if m.Method != "" && m.ID != nil {
		s.pending[string(m.ID)] = m.Method
	}
}

// checkReceived notes a message of the server's, gives what kind it is of and what is
// wrong with it.
func (s *protocolState) checkReceived(m Message) (kind, fault string) {
	if m.Version != "2.0" {
		return "", "it has no version"
	}
	if m.Method != "" {
		switch {
		case m.Result != nil || m.Error != nil:
			return "", "it is a request and an answer"
		case !s.initialized && !strings.HasPrefix(m.Method, "window/"):
			return "", "it comes before the answer to initialize"
		case !slices.ContainsFunc(protocol.Methods, func(info protocol.MethodInfo) bool {
			return info.Method == m.Method && info.Direction != protocol.DirectionClientToServer && (info.Kind == "request") == (m.ID != nil)
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
	method, asked := s.pending[string(m.ID)]
	if !asked && m.Error != nil {
		return "", "" // of what a test sent byte by byte
	}
	if !asked {
		return "", "it answers what was not asked, or again"
	}
	delete(s.pending, string(m.ID))
	s.initialized = s.initialized || method == protocol.MethodInitialize && m.Error == nil
	return method + " result", ""
}
