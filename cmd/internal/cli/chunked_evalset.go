package cli

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

// chunkedEvalset is an evalset, or a result file, that is read some cases at a time, each
// beside what was recorded of it.
type chunkedEvalset struct {
	*chunkedFile
	evalset      *evalset
	recordings   []*recordingIndex // of a result file the only one is itself
	noRecordings bool              // there are none: the set's own conversations are measured
}

// loadEvalsetInChunks is [session.inPieces] for a file of ADK.
func (s *session) loadEvalsetInChunks(path string, project *projectFiles, o *runOptions) (l loadedSuite, err error) {
	chunked := chunkedEvalset{evalset: &evalset{}}
	chunked.evalset.path, chunked.evalset.cases = splitCaseIDs(path)
	if o.targetSet {
		return l, errNotChunkable // which is a misuse, and told as such
	}
	if chunked.chunkedFile, err = divideFile(chunked.evalset.path, project, o); err != nil {
		return l, err
	}
	suite, err := chunked.readHeader(project, o)
	if err != nil {
		return l, err
	}
	if err := chunked.openRecordings(s.ctx, o.recordings); err != nil {
		return l, err
	}
	chunked.lowerChunk, chunked.allowRepeatedIDs = chunked.lowerADK, chunked.evalset.file.Role == adk.Results
	if err := chunked.checkChunks(s, o); err != nil {
		return l, err
	}
	if err := chunked.checkSelected(); err != nil {
		return l, err
	}
	problems, err := chunked.findUnmatched()
	if err != nil {
		return l, err
	}
	chunked.evalset.printNotes(s.stderr, problems)
	l = chunked.asLoadedSuite(suite, o)
	l.evaluation = &adk.Evaluation{Suite: suite, Criteria: chunked.evalset.criteria, Problems: problems}
	l.profile, l.target = chunked.evalset.profile, namedTarget{name: chunked.evalset.sourceName(&o.evalsetOptions)}
	return l, nil
}

// readHeader reads what stands around the cases, and what they are measured by. It gives
// the suite without its cases.
func (ce *chunkedEvalset) readHeader(project *projectFiles, o *runOptions) (*rubric.Suite, error) {
	if raised, err := project.raisesSeverity(ce.path); raised || err != nil {
		return nil, cmp.Or(err, errNotChunkable)
	}
	body, err := ce.file.Read(0)
	if err != nil {
		return nil, err
	}
	e := ce.evalset
	if e.file = adk.OpenCompact(e.path, body); !e.file.IsCompact() || e.file.Role == adk.Results && len(o.recordings) > 0 {
		return nil, errNotChunkable
	}
	if err := e.resolveProfile(&o.evalsetOptions); err != nil {
		return nil, err
	}
	if err := e.loadConfig(&o.evalsetOptions); err != nil {
		return nil, err
	}
	if e.config != "" {
		_, faults, err := project.analyseErrors(e.configInput())
		if err != nil || len(faults) > 0 && !o.ignoreErrors {
			return nil, errNotChunkable // and told in its order
		}
	}
	if e.file.Role == adk.Results {
		return adk.LowerResults(e.profile, e.file).Suite(), nil
	}
	return e.withDefaultID(adk.LowerSet(e.profile, e.file)).Suite(), nil
}

// raisesSeverity reports whether the settings make an error of what is none: of some such
// things nobody can tell before all of a file is read.
func (p *projectFiles) raisesSeverity(path string) (bool, error) {
	severities, err := p.settings.Severities(path)
	for id, severity := range severities {
		if severity == diag.Error && lint.Find(id).Severity != diag.Error {
			return true, err
		}
	}
	return false, err
}

// openRecordings opens what was recorded.
func (ce *chunkedEvalset) openRecordings(ctx context.Context, paths []string) error {
	if ce.evalset.file.Role == adk.Results {
		paths = []string{ce.path}
	}
	ce.noRecordings = len(paths) == 0
	for _, path := range paths {
		t, err := openRecordingIndex(ctx, path, ce.seed, ce.evalset.profile)
		if err != nil {
			return err
		}
		if t.cases != nil && path == ce.path {
			return errNotChunkable
		}
		ce.recordings = append(ce.recordings, t)
	}
	return nil
}

// lowerADK lowers a piece of ADK's cases.
func (ce *chunkedEvalset) lowerADK(i int, body string, _ *analysis.Analysis) (l loweredChunk, err error) {
	e := ce.evalset
	f := adk.OpenCompact(e.path, body)
	if !f.IsCompact() || f.Role != e.file.Role {
		return l, errNotChunkable
	}
	l.suite = &rubric.Suite{}
	if f.Role == adk.Results {
		l.suite.Cases, err = ce.resultCases(i, e.filterRecording(adk.LowerResults(e.profile, f)))
		return l, err
	}
	for _, c := range adk.LowerSet(e.profile, f).Cases {
		if !e.selects(c.ID) {
			l.skippedIDs = append(l.skippedIDs, c.ID)
			continue
		}
		runs, err := ce.recordedRuns(c.ID)
		if err != nil {
			return l, err
		}
		l.suite.Cases = append(l.suite.Cases, c.ForEvaluation(e.criteria, runs))
	}
	return l, nil
}

// resultCases are the cases whose first run stands in a piece of a result file.
func (ce *chunkedEvalset) resultCases(index int, recording adk.Recording) (all []*rubric.Case, err error) {
	t := ce.recordings[0]
	for _, c := range recording.Cases {
		if first := t.locate(maphash.String(ce.seed, c.ID))[0]; int(first.chunk) != index || int(first.span[0]) != c.Span.Start {
			continue
		}
		runs, err := t.recordedRuns(c.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, adk.EvaluationCase(ce.evalset.criteria, runs))
	}
	return all, nil
}

// recordedRuns is what was recorded of a case; nil where nothing is of any.
func (ce *chunkedEvalset) recordedRuns(id string) ([]adk.RecordedCase, error) {
	if ce.noRecordings {
		return nil, nil
	}
	all := []adk.RecordedCase{}
	for _, t := range ce.recordings {
		runs, err := t.recordedRuns(id)
		if err != nil {
			return nil, err
		}
		all = append(all, runs...)
	}
	return all, nil
}

// checkSelected is an error where there is nothing to run, or a chosen case is not there.
func (ce *chunkedEvalset) checkSelected() error {
	if ce.caseCount == 0 || ce.evalset.file.Role != adk.Results && slices.ContainsFunc(ce.evalset.cases, func(id string) bool { return !ce.hasCase(maphash.String(ce.seed, id)) }) {
		return errNotChunkable // and told by who has all ids
	}
	return nil
}

// hasCase reports whether the sum of an id is that of a case.
func (ce *chunkedEvalset) hasCase(idHash uint64) bool {
	_, known := slices.BinarySearch(ce.idHashes, idHash)
	return known
}

// findUnmatched are the problems with recorded conversations that are no case's.
func (ce *chunkedEvalset) findUnmatched() ([]string, error) {
	if len(ce.evalset.cases) > 0 {
		return nil, nil // nobody asked for others
	}
	unmatched := map[string]bool{}
	for _, t := range ce.recordings {
		ids, err := t.unmatchedIDs(ce.hasCase)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			unmatched[id] = true
		}
	}
	if len(unmatched) == 0 {
		return nil, nil
	}
	return adk.UnmatchedRecordings(slices.Collect(maps.Keys(unmatched)), ce.caseIDs()), nil
}

// splitCaseIDs is the path of a file, and the ids of cases that stand behind a colon where
// it is named as ADK names it.
func splitCaseIDs(path string) (string, []string) {
	selections := adk.ParseSelections([]string{path})
	if len(selections) == 1 && len(selections[0].Cases) > 0 && !host.Exists(path) && host.Exists(selections[0].Path) {
		return selections[0].Path, selections[0].Cases
	}
	return path, nil
}
