package cache

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// Results holds the last result of each case by file and case id, so that a result follows its
// case. It reads the stored results of a file when they are first asked for.
type Results struct {
	disk   Disk
	mu     sync.Mutex
	byFile map[uri.URI]*fileResults
}

// fileResults are the results of a file by case id, the last first, and those that are not stored yet. Lists are
// replaced, never changed, so that readers need no lock.
type fileResults struct {
	byCase  map[string][]*Result
	unsaved []*Result
}

// A Result is the last result of one case and what it depends on. It is immutable.
type Result struct {
	run.StoredResult
	Inputs     Inputs            `json:"inputs"`
	Submission *grade.Submission `json:"submission,omitempty"` // what was graded; nil if the target did not answer
	Run        string            `json:"-"`                    // when its run began, as a [run.RunTime]
}

// maxEarlier is the number of earlier results of a case that are kept.
const maxEarlier = 4

// RunConfig names the target, the judge and the moderation endpoint of a run, its profile and its
// threshold.
type RunConfig struct {
	Target, Judge, Moderation string
	Profile                   score.Profile
	Threshold                 float64
}

// For returns the configuration for a case, which may name a target of its own.
func (rc RunConfig) For(c *rubric.Case, given run.Settings) RunConfig {
	if c.Target != "" && !given.IsSet("target") {
		rc.Target = c.Target
	}
	return rc
}

// Put adds the last result of a case. It replaces one of the same run.
func (rs *Results) Put(u uri.URI, id string, r *Result) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	file := rs.file(u)
	earlier := file.byCase[id]
	if len(earlier) > 0 && earlier[0].Run == r.Run {
		earlier = earlier[1:]
	}
	file.byCase[id] = append([]*Result{r}, earlier[:min(len(earlier), maxEarlier)]...)
	file.unsaved = append(file.unsaved, r)
}

// file returns the results of a file. It reads those that are stored.
func (rs *Results) file(u uri.URI) *fileResults {
	if rs.byFile == nil {
		rs.byFile = map[uri.URI]*fileResults{}
	}
	file := rs.byFile[u]
	if file == nil {
		file = &fileResults{byCase: map[string][]*Result{}}
		if rs.byFile[u] = file; rs.disk.LoadResults != nil && u.IsFile() {
			file.add(rs.disk.LoadResults(u.FsPath(), maxEarlier+1))
		}
	}
	return file
}

// add adds stored results, the last run first. It ignores what it cannot decode, such as results of
// other versions.
func (f *fileResults) add(saved []run.SavedResult) {
	for _, s := range saved {
		r := &Result{Run: s.Run}
		if json.Unmarshal(s.Editor, r) != nil {
			continue
		}
		if r.Record = s.Record; r.Submission != nil {
			r.Submission.AnsweredBy = s.Record.AnsweredBy
			if r.Inputs.Config.Target == run.SelfTargetName {
				r.Submission.Origin = grade.FromFile
			}
		}
		f.byCase[s.Record.EvalID] = append(f.byCase[s.Record.EvalID], r)
	}
}

// Save stores the new results of a file.
func (rs *Results) Save(u uri.URI) error {
	rs.mu.Lock()
	file := rs.file(u)
	unsaved := file.unsaved
	file.unsaved = nil
	rs.mu.Unlock()
	if rs.disk.SaveResults == nil || !u.IsFile() {
		return nil
	}
	var saved []run.SavedResult
	for _, r := range unsaved {
		editor, err := json.Marshal(r)
		if err != nil {
			return err
		}
		saved = append(saved, run.SavedResult{Record: r.Record, Run: r.Run, Editor: editor})
	}
	return rs.disk.SaveResults(u.FsPath(), saved)
}

// Move moves the results of a renamed file, or of all files in a renamed folder.
func (rs *Results) Move(from, to uri.URI) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	moved := map[uri.URI]*fileResults{}
	for u, file := range rs.byFile {
		rest, isMoved := strings.CutPrefix(string(u)+"/", string(from)+"/")
		if isMoved {
			moved[to+uri.URI(strings.TrimSuffix("/"+rest, "/"))] = file
		}
		if isMoved || strings.HasPrefix(string(u)+"/", string(to)+"/") { // the file that had the name is gone
			delete(rs.byFile, u)
		}
	}
	maps.Copy(rs.byFile, moved)
	if rs.disk.MoveResults != nil && from.IsFile() && to.IsFile() {
		rs.disk.MoveResults(from.FsPath(), to.FsPath())
	}
}

// Get returns a case's last result, or nil if it has not run.
func (rs *Results) Get(u uri.URI, id string) *Result {
	if all := rs.from(u, id, ""); len(all) > 0 {
		return all[0]
	}
	return nil
}

// from returns the results of a case from the last one with a target. No target means any.
func (rs *Results) from(u uri.URI, id, target string) []*Result {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	all := rs.file(u).byCase[id]
	for len(all) > 0 && target != "" && all[0].Record.Target != target {
		all = all[1:]
	}
	return all
}

// isEmpty reports whether no case of the file has run.
func (rs *Results) isEmpty(u uri.URI) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.file(u).byCase) == 0
}

// Inputs identifies what a result depends on besides the case's text: the configuration of
// the run, the referenced files and the targets.
type Inputs struct {
	Config         RunConfig `json:"config"`
	Files, Targets string
}

// outcomes returns the last outcomes of all cases of a document.
func (s *Snapshot) outcomes(d *Document) ide.Results {
	outcomes := ide.Results{}
	if s.shared.Results.isEmpty(d.URI) {
		return outcomes
	}
	inputsOf := s.Inputs(d)
	add := func(cases []*cachedCase) {
		for _, c := range cases {
			result := s.shared.Results.Get(d.URI, c.ID)
			if _, exists := outcomes[c.ID]; result != nil && !exists {
				outcomes[c.ID] = c.outcomeFor(result, inputsOf(c.Case)).outcome
			}
		}
	}
	if e := s.Evaluation(d); e != nil {
		add(e.cases)
	}
	for _, cases := range cachedCases.Each(d.Analysis) {
		add(cases)
	}
	return outcomes
}

// failedGates returns up to maxGates gates that failed in the document's last run, gates within
// near first, and how many it left out.
func (s *Snapshot) failedGates(d *Document, near text.Span) (nearby []failedGate, more int) {
	if s.shared.Results.isEmpty(d.URI) {
		return nil, 0
	}
	var distant []failedGate
	inputsOf := s.Inputs(d)
	for chunk, cases := range cachedCases.Each(d.Analysis) {
		for _, c := range cases {
			result := s.shared.Results.Get(d.URI, c.ID)
			if result == nil || !slices.ContainsFunc(result.Record.Gates, score.Gate.Failed) {
				continue
			}
			outcome := c.outcomeFor(result, inputsOf(c.Case))
			for _, gate := range outcome.gates {
				switch placed := (failedGate{chunk.ToFile(gate.span), gate.reason}); {
				case placed.span.Start >= d.Length(): // it is in another file
				case near.Touches(placed.span.Start) && len(nearby) < maxGates:
					nearby = append(nearby, placed)
				case len(distant) < maxGates:
					distant = append(distant, placed)
				default:
					more++
				}
			}
		}
	}
	room := min(maxGates-len(nearby), len(distant))
	return append(nearby, distant[:room]...), more + len(distant) - room
}

// An EarlierRun holds the results of a run, at least one of which a later run has replaced.
type EarlierRun struct {
	ID      string
	Records []run.Record
}

// History returns the last records of a file's cases, and the earlier runs, the last first.
func (rs *Results) History(u uri.URI, cases []*rubric.Case) (last []run.Record, runs []EarlierRun) {
	byRun, replaced := map[string][]run.Record{}, map[string]bool{}
	for _, c := range cases {
		for i, r := range rs.from(u, c.ID, "") {
			if byRun[r.Run] = append(byRun[r.Run], r.Record); i == 0 {
				last = append(last, r.Record)
			} else {
				replaced[r.Run] = true
			}
		}
	}
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(replaced))) {
		runs = append(runs, EarlierRun{id, byRun[id]})
	}
	return last, runs
}
