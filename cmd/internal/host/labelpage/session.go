// Package labelpage serves a page on which people label the answers of a run.
package labelpage

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
)

// A Session serves a page on which a person labels the answers of a run. The labels file is its only
// state, so that reloads, further tabs and restarts continue where it ends.
type Session struct {
	Path     string // of the labels file
	By       string
	Disputed bool // only what people disagree about
	Items    []calibrate.Item
	Token    string // the folder of the page's address
	// Agreement returns the figures of the judge as a table with a head, and remarks.
	Agreement func([]rubric.Label) (rows [][]string, remarks []string)

	mu sync.Mutex // guards the labels file
}

// ServeHTTP shows the page, or stores a grade.
func (s *Session) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/"+s.Token+"/":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		s.give(w, r)
	default:
		s.show(w, r)
	}
}

// read returns the labels file's text and labels. A file that is not there has neither.
func (s *Session) read() (body string, labels []rubric.Label, err error) {
	if disk.Exists(s.Path) {
		if body, err = disk.ReadArgument(s.Path); err != nil {
			return "", nil, err
		}
	}
	return body, agentv.ReadLabels(analysis.Of(host.NewInput(s.Path, body)).Tree()), nil
}

// add writes a label at the end of the file's judgements, as a whole or not at all.
func (s *Session) add(label rubric.Label) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range 10 { // an editor may save the file at the same time
		body, _, err := s.read()
		if err != nil {
			return err
		}
		text, err := agentv.AddJudgements(analysis.Of(host.NewInput(s.Path, body)).Tree(), []rubric.Label{label})
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(agentv.ReadLabels(analysis.Of(host.NewInput(s.Path, text)).Tree()), label.Equal) {
			return errors.New("the file has errors; fix those that `rubric check` reports")
		}
		if err = disk.ReplaceText(s.Path, body, text); err == nil {
			return nil
		} else if now, _, readErr := s.read(); readErr != nil || now == body {
			return err
		}
	}
	return errors.New("the file changes all the time")
}

// given returns the current labels of an item, in the order of the file.
func given(it calibrate.Item, labels []rubric.Label) (given []rubric.Label) {
	for _, label := range labels {
		if label.Case == it.Record.EvalID && label.Criterion == it.Criterion.ID && label.Turn == 0 && (label.Fingerprint == "" || label.Fingerprint == it.Fingerprint) {
			given = append(given, label)
		}
	}
	return given
}

// isOpen reports whether the item waits for this person. What people disagree about waits for all but the
// last who labelled it.
func (s *Session) isOpen(it calibrate.Item, labels []rubric.Label) bool {
	own := given(it, labels)
	if !s.Disputed {
		return !slices.ContainsFunc(own, func(label rubric.Label) bool { return label.By == s.By })
	}
	return slices.ContainsFunc(own, func(label rubric.Label) bool { return label.Grade() != own[0].Grade() }) && own[len(own)-1].By != s.By
}

// give stores the grade of a form and shows the next item.
func (s *Session) give(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	at := s.find(r.PostFormValue("item"))
	if at < 0 {
		http.Error(w, "This answer is not in the run that is labelled. Go back and reload the page.", http.StatusConflict)
		return
	}
	it := s.Items[at]
	label := rubric.Label{
		Case: it.Record.EvalID, Criterion: it.Criterion.ID, Note: strings.ToValidUTF8(r.PostFormValue("note"), "\ufffd"),
		By: s.By, At: time.Now().UTC().Format(time.RFC3339), Fingerprint: it.Fingerprint,
	}
	if err := label.SetGrade(r.PostFormValue("grade")); err != nil || (label.Score != nil) != (len(it.Criterion.Bands) > 0) {
		http.Error(w, "The grade is not one of this criterion.", http.StatusBadRequest)
		return
	}
	if err := s.add(label); err != nil {
		http.Error(w, "Not stored: "+s.Path+": "+err.Error(), http.StatusInternalServerError)
		return
	}
	http.Redirect(w, r, "?last="+itemID(it), http.StatusSeeOther)
}

// itemID identifies an item in addresses and forms.
func itemID(it calibrate.Item) string {
	return rubric.Digest([]any{it.Record.EvalID, it.Criterion.ID, it.Fingerprint})[:16]
}

func (s *Session) find(id string) int {
	return slices.IndexFunc(s.Items, func(it calibrate.Item) bool { return itemID(it) == id })
}
