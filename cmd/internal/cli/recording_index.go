package cli

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// recordingIndex is recorded conversations that are looked up by the ids of their cases. Of a file
// that divides there is kept where each stands, and it is read when its turn comes; of
// any other, what they are.
type recordingIndex struct {
	path  string
	seed  maphash.Seed
	cases map[string][]adk.RecordedCase // nil of a file that divides

	file      *host.ChunkedFile
	role      adk.Role
	setID     string              // the id of the evalset that was run
	locations []recordingLocation // by ids, and in the file's order
}

// recordingLocation is where a conversation stands.
type recordingLocation struct {
	idHash, textHash uint64 // of its case and of its text, as sums
	chunk            int32
	span             [2]int32 // from and to which byte of the piece's text
}

// openRecordingIndex reads a recording once, to see that all of it can be read.
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

// buildIndex finds where the conversations stand.
func (ri *recordingIndex) buildIndex(ctx context.Context, p metric.Profile) error {
	locations, roles, sets := make([][]recordingLocation, ri.file.Count()), make([]adk.Role, ri.file.Count()), make([]string, ri.file.Count())
	err := runParallel(ctx, ri.file.Count(), func(i int) error {
		body, err := ri.file.Read(i)
		if err != nil {
			return errNotChunkable
		}
		f := adk.OpenCompact(ri.path, body)
		r, err := adk.ReadRecording(p, f)
		if err != nil || !f.IsCompact() {
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

// locate are the stretches of a case's conversations.
func (ri *recordingIndex) locate(idHash uint64) []recordingLocation {
	compare := func(s recordingLocation, idHash uint64) int { return cmp.Compare(s.idHash, idHash) }
	first, _ := slices.BinarySearchFunc(ri.locations, idHash, compare)
	last := first
	for last < len(ri.locations) && ri.locations[last].idHash == idHash {
		last++
	}
	return ri.locations[first:last]
}

// recordedRuns are the conversations of a case.
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
	run.Span = span
	return run, nil
}

// unmatchedIDs are the ids of conversations that are no case's, by the sums of those that are
// one's, each once.
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
