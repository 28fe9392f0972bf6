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

// tape is recorded conversations that are looked up by the ids of their cases. Of a file
// that divides there is kept where each stands, and it is read when its turn comes; of
// any other, what they are.
type tape struct {
	path string
	seed maphash.Seed
	held map[string][]adk.RecordedCase // nil of a file that divides

	file *host.Pieces
	role adk.Role
	set  string    // the id of the evalset that was run
	at   []stretch // by ids, and in the file's order
}

// stretch is where a conversation stands.
type stretch struct {
	id, sum uint64 // of its case and of its text, as sums
	piece   int32
	in      [2]int32 // from and to which byte of the piece's text
}

// openTape reads a recording once, to see that all of it can be read.
func openTape(ctx context.Context, path string, seed maphash.Seed, p metric.Profile) (*tape, error) {
	t := &tape{path: path, seed: seed, file: host.Divide(path)}
	if t.file != nil {
		err := t.find(ctx, p)
		if err != errUndivided {
			return t, err
		}
	}
	r, err := recording(path, p)
	if err != nil {
		return nil, err
	}
	t.held = map[string][]adk.RecordedCase{}
	for _, c := range r.Cases {
		t.held[c.ID] = append(t.held[c.ID], c)
	}
	return t, nil
}

// find finds where the conversations stand.
func (t *tape) find(ctx context.Context, p metric.Profile) error {
	found, roles, sets := make([][]stretch, t.file.Count()), make([]adk.Role, t.file.Count()), make([]string, t.file.Count())
	err := sideBySide(ctx, t.file.Count(), func(i int) error {
		body, err := t.file.Read(i)
		if err != nil {
			return errUndivided
		}
		f := adk.Glance(t.path, body)
		r, err := adk.ReadRecording(p, f)
		if err != nil || !f.Apart() {
			return errUndivided
		}
		roles[i], sets[i] = f.Role, r.SetID
		for _, c := range r.Cases {
			found[i] = append(found[i], stretch{
				id: maphash.String(t.seed, c.ID), sum: maphash.String(t.seed, body[c.Span.Start:c.Span.End]),
				piece: int32(i), in: [2]int32{int32(c.Span.Start), int32(c.Span.End)},
			})
		}
		return nil
	})
	t.at, t.role, t.set = slices.Concat(found...), roles[0], sets[0]
	slices.SortStableFunc(t.at, func(a, b stretch) int { return cmp.Compare(a.id, b.id) })
	return err
}

// of are the stretches of a case's conversations.
func (t *tape) of(sum uint64) []stretch {
	by := func(s stretch, sum uint64) int { return cmp.Compare(s.id, sum) }
	first, _ := slices.BinarySearchFunc(t.at, sum, by)
	last := first
	for last < len(t.at) && t.at[last].id == sum {
		last++
	}
	return t.at[first:last]
}

// runs are the conversations of a case.
func (t *tape) runs(id string) (runs []adk.RecordedCase, err error) {
	if t.held != nil {
		return t.held[id], nil
	}
	for _, s := range t.of(maphash.String(t.seed, id)) {
		run, err := t.read(s)
		if err != nil {
			return nil, err
		}
		if run.ID == id {
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// read reads a conversation again.
func (t *tape) read(s stretch) (run adk.RecordedCase, err error) {
	span := text.Span{Start: int(s.in[0]), End: int(s.in[1])}
	body, err := t.file.At(int(s.piece), span)
	if err != nil {
		return run, err
	}
	run, is := adk.ReadRun(t.role, body)
	if !is || maphash.String(t.seed, body) != s.sum {
		return run, errors.New(t.path + " has changed since it was checked")
	}
	run.Span = span
	return run, nil
}

// strays are the ids of conversations that are no case's, by the sums of those that are
// one's, each once.
func (t *tape) strays(known func(sum uint64) bool) (ids []string, err error) {
	for id := range t.held {
		if !known(maphash.String(t.seed, id)) {
			ids = append(ids, id)
		}
	}
	for i, s := range t.at {
		if known(s.id) || i > 0 && t.at[i-1].id == s.id {
			continue
		}
		run, err := t.read(s)
		if err != nil {
			return nil, err
		}
		ids = append(ids, run.ID)
	}
	return ids, nil
}
