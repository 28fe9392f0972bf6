package cli

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// A chunkedEvalset is an evalset or a result file whose cases are read in chunks,
// together with their recordings.
type chunkedEvalset struct {
	*chunkedFile
	evalset        *evalset
	configWarnings fileWarnings
	recordings     []*recordingIndex // for a result file: the file itself
	noRecordings   bool              // the evalset's own conversations are measured
}

// loadEvalsetInChunks is [session.loadInChunks] for an ADK file.
func (s *session) loadEvalsetInChunks(path string, project *projectFiles, o *runOptions) (l loadedSuite, err error) {
	chunked := chunkedEvalset{evalset: &evalset{}}
	chunked.evalset.path, chunked.evalset.cases = splitCaseIDs(path)
	if o.IsSet("target") {
		return l, errNotChunkable // reading the whole file reports the misuse
	}
	if chunked.chunkedFile, err = divideFile(chunked.evalset.path, project, o); err != nil {
		return l, err
	}
	suite, err := chunked.readHeader(project, o)
	if err != nil {
		return l, err
	}
	if err := chunked.openRecordings(s.ctx, o.Recorded); err != nil {
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
	o.warnings = append(o.warnings, chunked.configWarnings)
	l = chunked.asLoadedSuite(suite, o)
	l.evaluation = &adk.Evaluation{Suite: suite, Criteria: chunked.evalset.criteria, Problems: problems}
	l.profile, l.source = chunked.evalset.profile, chunked.evalset.sourceName(&o.Settings)
	return l, nil
}

// readHeader reads the part of the file around the cases, and the metrics. It returns the
// suite without cases.
func (ce *chunkedEvalset) readHeader(project *projectFiles, o *runOptions) (*rubric.Suite, error) {
	if raised, err := project.raisesSeverity(ce.path); raised || err != nil {
		return nil, cmp.Or(err, errNotChunkable)
	}
	body, err := ce.file.Read(0)
	if err != nil {
		return nil, err
	}
	e := ce.evalset
	if e.file = adk.Open(e.path, body); !canChunk(e.file) || e.file.Role == adk.Results && len(o.Recorded) > 0 {
		return nil, errNotChunkable
	}
	if err := e.resolveProfile(&o.Settings); err != nil {
		return nil, err
	}
	if err := e.loadConfig(&o.Settings); err != nil {
		return nil, err
	}
	if e.config != "" {
		in := e.configInput()
		in.Severities, err = project.settings.Severities(in.Path)
		found := analyse(in).Diagnostics()
		if err != nil || len(withSeverity(diag.Error, found)) > 0 {
			return nil, errNotChunkable // reading the whole file reports errors in order
		}
		ce.configWarnings = fileWarnings{e.config, len(withSeverity(diag.Warning, found))}
	}
	if e.file.Role == adk.Results {
		return adk.LowerResults(e.profile, e.file).Suite(), nil
	}
	suite := adk.LowerSet(e.profile, e.file).Suite()
	e.setDefaultName(suite)
	return suite, nil
}

// raisesSeverity reports whether the settings raise a rule to an error. Some of those
// rules need the whole file.
func (p *projectFiles) raisesSeverity(path string) (bool, error) {
	severities, err := p.settings.Severities(path)
	for id, severity := range severities {
		if severity == diag.Error && lint.Find(id).Severity != diag.Error {
			return true, err
		}
	}
	return false, err
}

// openRecordings opens the recorded conversations.
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

// canChunk reports whether a file with a chunk of the cases is read as the whole file would be.
func canChunk(f adk.File) bool {
	return f.Fault == nil && (f.Role == adk.EvalSet || f.Role == adk.Results)
}

// lowerADK lowers a chunk of ADK cases.
func (ce *chunkedEvalset) lowerADK(i int, body string, _ *analysis.Analysis) (l loweredChunk, err error) {
	e := ce.evalset
	f := adk.Open(e.path, body)
	if !canChunk(f) || f.Role != e.file.Role {
		return l, errNotChunkable
	}
	l.suite = &rubric.Suite{}
	if f.Role == adk.Results {
		l.suite.Cases, err = ce.resultCases(i, e.filterRecording(adk.LowerResults(e.profile, f)))
		return l, err
	}
	set := adk.LowerSet(e.profile, f)
	for _, c := range set.Cases {
		if !e.selects(c.ID) {
			l.skippedIDs = append(l.skippedIDs, c.ID)
			continue
		}
		runs, err := ce.recordedRuns(c.ID)
		if err != nil {
			return l, err
		}
		l.suite.Cases = append(l.suite.Cases, c.ForEvaluation(set.ID, e.criteria, runs))
	}
	return l, nil
}

// resultCases returns the cases whose first run is in the chunk with this index of a
// result file.
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

// recordedRuns returns the recorded runs of a case, or nil if there are no recordings.
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

// checkSelected returns an error if there are no cases, or if a selected case does not
// exist.
func (ce *chunkedEvalset) checkSelected() error {
	if ce.caseCount == 0 || ce.evalset.file.Role != adk.Results && slices.ContainsFunc(ce.evalset.cases, func(id string) bool { return !ce.hasCase(maphash.String(ce.seed, id)) }) {
		return errNotChunkable // reading the whole file can suggest ids
	}
	return nil
}

// hasCase reports whether a case has this id hash.
func (ce *chunkedEvalset) hasCase(idHash uint64) bool {
	_, known := slices.BinarySearch(ce.idHashes, idHash)
	return known
}

// findUnmatched describes recorded conversations that belong to no case.
func (ce *chunkedEvalset) findUnmatched() ([]string, error) {
	if len(ce.evalset.cases) > 0 {
		return nil, nil // the other cases were not selected
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

// splitCaseIDs splits FILE:ID,ID, as ADK writes it, into the path and the case ids.
func splitCaseIDs(path string) (string, []string) {
	selections := adk.ParseSelections([]string{path})
	if len(selections) == 1 && len(selections[0].Cases) > 0 && !host.Exists(path) && host.Exists(selections[0].Path) {
		return selections[0].Path, selections[0].Cases
	}
	return path, nil
}

// A recordingIndex looks up recorded conversations by case id. For a file in chunks it
// stores their locations and reads them on demand; for other files it stores the
// conversations.
type recordingIndex struct {
	path  string
	seed  maphash.Seed
	cases map[string][]adk.RecordedCase // nil for a file in chunks

	file      *host.ChunkedFile
	role      adk.Role
	setID     string              // id of the recorded evalset
	locations []recordingLocation // sorted by id hash, then in file order
}

// A recordingLocation is the place of a conversation in a file in chunks.
type recordingLocation struct {
	idHash, textHash uint64 // hashes of the case id and of the text
	chunk            int32
	span             [2]int32 // byte range in the chunk
}

// openRecordingIndex reads a recording once, to check that all of it can be read.
func openRecordingIndex(ctx context.Context, path string, seed maphash.Seed, p metric.Profile) (*recordingIndex, error) {
	index := &recordingIndex{path: path, seed: seed, file: host.OpenChunkedFile(path)}
	if index.file != nil {
		err := index.buildIndex(ctx, p)
		if err != errNotChunkable {
			return index, err
		}
	}
	r, err := readRecording(path, p)
	if err != nil {
		return nil, err
	}
	index.cases = map[string][]adk.RecordedCase{}
	for _, c := range r.Cases {
		index.cases[c.ID] = append(index.cases[c.ID], c)
	}
	return index, nil
}

// buildIndex finds the locations of all conversations.
func (ri *recordingIndex) buildIndex(ctx context.Context, p metric.Profile) error {
	locations, roles, sets := make([][]recordingLocation, ri.file.Count()), make([]adk.Role, ri.file.Count()), make([]string, ri.file.Count())
	err := runParallel(ctx, ri.file.Count(), func(i int) error {
		body, err := ri.file.Read(i)
		if err != nil {
			return errNotChunkable
		}
		f := adk.Open(ri.path, body)
		r, err := adk.ReadRecording(p, f)
		if err != nil || !canChunk(f) {
			return errNotChunkable
		}
		roles[i], sets[i] = f.Role, r.SetID
		for _, c := range r.Cases {
			locations[i] = append(locations[i], recordingLocation{
				idHash: maphash.String(ri.seed, c.ID), textHash: maphash.String(ri.seed, body[c.Span.Start:c.Span.End]),
				chunk: int32(i), span: [2]int32{int32(c.Span.Start), int32(c.Span.End)},
			})
		}
		return nil
	})
	ri.locations, ri.role, ri.setID = slices.Concat(locations...), roles[0], sets[0]
	slices.SortStableFunc(ri.locations, func(a, b recordingLocation) int { return cmp.Compare(a.idHash, b.idHash) })
	return err
}

// locate returns the locations of the conversations of a case.
func (ri *recordingIndex) locate(idHash uint64) []recordingLocation {
	compare := func(s recordingLocation, idHash uint64) int { return cmp.Compare(s.idHash, idHash) }
	first, _ := slices.BinarySearchFunc(ri.locations, idHash, compare)
	last := first
	for last < len(ri.locations) && ri.locations[last].idHash == idHash {
		last++
	}
	return ri.locations[first:last]
}

// recordedRuns returns the conversations of a case.
func (ri *recordingIndex) recordedRuns(id string) (runs []adk.RecordedCase, err error) {
	if ri.cases != nil {
		return ri.cases[id], nil
	}
	for _, s := range ri.locate(maphash.String(ri.seed, id)) {
		run, err := ri.readRun(s)
		if err != nil {
			return nil, err
		}
		if run.ID == id {
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// readRun reads a conversation again.
func (ri *recordingIndex) readRun(s recordingLocation) (run adk.RecordedCase, err error) {
	span := text.Span{Start: int(s.span[0]), End: int(s.span[1])}
	body, err := ri.file.ReadSpan(int(s.chunk), span)
	if err != nil {
		return run, err
	}
	run, is := adk.ReadRecordedCase(ri.role, body)
	if !is || maphash.String(ri.seed, body) != s.textHash {
		return run, errors.New(ri.path + " has changed since it was checked")
	}
	run.Span, run.SetID = span, ri.setID
	return run, nil
}

// unmatchedIDs returns the case ids of conversations that belong to no case, each once.
func (ri *recordingIndex) unmatchedIDs(isCase func(sum uint64) bool) (ids []string, err error) {
	for id := range ri.cases {
		if !isCase(maphash.String(ri.seed, id)) {
			ids = append(ids, id)
		}
	}
	for i, s := range ri.locations {
		if isCase(s.idHash) || i > 0 && ri.locations[i-1].idHash == s.idHash {
			continue
		}
		run, err := ri.readRun(s)
		if err != nil {
			return nil, err
		}
		ids = append(ids, run.ID)
	}
	return ids, nil
}
