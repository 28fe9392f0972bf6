package run

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Shard is one of several parts of a run, which machines can run at the same time. The zero value
// means the whole run.
type Shard struct {
	Index int // from 1
	Count int
}

// MaxShards is the highest number of shards of a run.
const MaxShards = 1000

// String returns the shard as in `3/8`.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// ParseShard reads a shard such as `3/8`. With `auto`, a scheduler says which one it is, and with
// `auto/8` only its number of 8. getenv returns the scheduler's variables.
func ParseShard(text string, getenv func(string) string) (Shard, error) {
	index, count, hasCount := strings.Cut(text, "/")
	s := Shard{Count: parseCount(count)}
	if hasCount && s.Count == 0 {
		return s, fmt.Errorf("must be a shard such as `3/8` with at most %d shards, not `%s`", MaxShards, text)
	}
	if index == "auto" {
		return s.fromScheduler(getenv)
	}
	if s.Index = parseCount(index); !hasCount || s.Index == 0 || s.Index > s.Count {
		return s, fmt.Errorf("must be a shard such as `3/8`, or `auto` under a scheduler, not `%s`", text)
	}
	return s, nil
}

// parseCount returns a number from 1 to [MaxShards], or 0 for other texts.
func parseCount(text string) int {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= MaxShards {
		return n
	}
	return 0
}

// A scheduler tells each of its jobs which of several it is.
type scheduler struct {
	name  string
	index string // variable with the job's number
	first int    // number of the first job
	count string // variable with the number of jobs; "" if there is none
}

var schedulers = []scheduler{
	{"Slurm", "SLURM_ARRAY_TASK_ID", 1, "SLURM_ARRAY_TASK_COUNT"},
	{"Kubernetes", "JOB_COMPLETION_INDEX", 0, ""},
	{"GitLab", "CI_NODE_INDEX", 1, "CI_NODE_TOTAL"},
}

// fromScheduler returns the shard of this job. Its count is s.Count, or what the scheduler says.
func (s Shard) fromScheduler(getenv func(string) string) (Shard, error) {
	running := slices.DeleteFunc(slices.Clone(schedulers), func(c scheduler) bool { return getenv(c.index) == "" })
	if len(running) == 0 {
		return s, fmt.Errorf("is `auto`, but none of %s, %s and %s is set; write a shard such as `3/8`", schedulers[0].index, schedulers[1].index, schedulers[2].index)
	}
	if len(running) > 1 {
		return s, fmt.Errorf("is `auto`, but both %s and %s are set; write a shard such as `3/8`", running[0].index, running[1].index)
	}
	c := running[0]
	if s.Count == 0 && c.count != "" {
		s.Count = parseCount(getenv(c.count))
	}
	if s.Count == 0 {
		return s, fmt.Errorf("is `auto`, but %s does not say how many jobs there are; write `auto/8` for 8", c.name)
	}
	number, err := strconv.Atoi(getenv(c.index))
	if s.Index = number - c.first + 1; err != nil || s.Index < 1 || s.Index > s.Count {
		return s, fmt.Errorf("is `auto`, but %s is `%s`, and the jobs of %s must be numbered from %d to %d", c.index, getenv(c.index), c.name, c.first, c.first+s.Count-1)
	}
	return s, nil
}

// CaseName identifies a case in results, however it is edited.
type CaseName struct{ Dataset, ID, Target string }

// Name returns the name of the record's case.
func (r *Record) Name() CaseName { return CaseName{r.Dataset, r.EvalID, r.Target} }

// CaseCost is what a case took in an earlier run. A part that is not known is 0.
type CaseCost struct {
	Time time.Duration
	USD  float64
}

// CostOf returns what the case of a record took.
func CostOf(r *Record) CaseCost {
	judges, target := r.JudgeUsage(), r.TargetUsage()
	cost := CaseCost{USD: judges.Cost + target.Cost}
	ms := r.DurationMS
	if ms == nil && r.TraceSummary != nil {
		ms = r.TraceSummary.DurationMS
	}
	if ms != nil && *ms > 0 && !math.IsInf(*ms, 0) {
		cost.Time = time.Duration(*ms * float64(time.Millisecond))
	}
	return cost
}

// ShardPlan divides the cases of a run into shards. The same cases, settings and earlier costs give
// the same plan on every machine, which Fingerprint proves. Cases that depend on each other are in
// one shard.
type ShardPlan struct {
	Fingerprint string // SHA-256, in hexadecimal
	suites      [][]int32
}

// ShardPlanner collects the cases of a run for [ShardPlanner.Plan].
type ShardPlanner struct {
	Earlier map[CaseName]CaseCost // without entries, shards have equally many cases

	added  bytes.Buffer // what the fingerprint is of
	groups []caseGroup
	suites [][]int32 // by suite, the index of each case's group
}

// A caseGroup is one or several cases that run in one shard.
type caseGroup struct {
	CaseCost
	known, unknown int // number of cases with and without an earlier cost
	weight         float64
	shard          int32
}

// AddSuite adds the cases of a suite in the order of [Runner.InOrder]. The name tells the suites of a
// run apart.
func (p *ShardPlanner) AddSuite(name string, r Runner, suite *rubric.Suite, cases iter.Seq[*rubric.Case]) {
	fmt.Fprintf(&p.added, "suite %q\n", name)
	first := dependencyGroups(suite.Cases)
	groupOf := map[string]int32{} // by the first id of the cases that depend on each other
	var groups []int32
	for c := range cases {
		key := r.RecordKey(suite, c)
		p.added.Write(key[:])
		id, isGrouped := first[c.ID]
		i, isKnown := groupOf[id]
		if !isGrouped || !isKnown {
			i = int32(len(p.groups))
			p.groups = append(p.groups, caseGroup{})
		}
		if isGrouped {
			groupOf[id] = i
		}
		g := &p.groups[i]
		if cost, found := p.Earlier[CaseName{suite.Name, c.ID, r.targetNameOf(suite, c)}]; found {
			g.Time, g.USD, g.known = g.Time+cost.Time, g.USD+cost.USD, g.known+1
		} else {
			g.unknown++
		}
		groups = append(groups, i)
	}
	p.suites = append(p.suites, groups)
}

func (r Runner) targetNameOf(suite *rubric.Suite, c *rubric.Case) string {
	r = r.forCase(c)
	return cmp.Or(r.TargetName, strings.Join(suite.Targets, ", "))
}

// InOrder yields the cases of a suite in the order of their records: those that others depend on come
// first.
func InOrder(suite *rubric.Suite, cases iter.Seq[*rubric.Case]) iter.Seq[*rubric.Case] {
	return newPrerequisites(suite.Cases).order(cases)
}

// dependencyGroups returns an id for each case that depends on another or that another depends on. It is
// the same for all that are connected so.
func dependencyGroups(cases []*rubric.Case) map[string]string {
	parents := map[string]string{}
	find := func(id string) string {
		for parents[id] != "" && parents[id] != id {
			id = parents[id]
		}
		return id
	}
	for _, c := range cases {
		for _, id := range c.DependsOn {
			own, other := find(c.ID), find(id)
			parents[own], parents[other] = other, other
		}
	}
	for id := range parents {
		parents[id] = find(id)
	}
	return parents
}

// Plan divides the cases that were added into shards. settings is what the report depends on besides.
func (p *ShardPlanner) Plan(count int, settings string) *ShardPlan {
	p.weigh()
	p.assign(count)
	plan := &ShardPlan{}
	fmt.Fprintf(&p.added, "\n%d shards, %s\n", count, settings)
	for _, groups := range p.suites {
		shards := make([]int32, len(groups))
		for i, g := range groups {
			shards[i] = p.groups[g].shard
		}
		_ = binary.Write(&p.added, binary.BigEndian, shards) // a buffer accepts everything
		plan.suites = append(plan.suites, shards)
	}
	sum := sha256.Sum256(p.added.Bytes())
	plan.Fingerprint = hex.EncodeToString(sum[:])
	return plan
}

// weigh sets the weight of each group: its share of the time and of the cost of all cases. A case without an
// earlier cost weighs as much as the mean of the others. Sums of quotients are the same on every processor;
// products would not be, as some processors add to a product without rounding it.
func (p *ShardPlanner) weigh() {
	var total caseGroup
	for _, g := range p.groups {
		total.Time, total.USD, total.known = total.Time+g.Time, total.USD+g.USD, total.known+g.known
	}
	var sum float64
	for i := range p.groups {
		g := &p.groups[i]
		if total.Time > 0 {
			g.weight += float64(g.Time) / float64(total.Time)
		}
		if total.USD > 0 {
			g.weight += g.USD / total.USD
		}
		sum += g.weight
	}
	mean := 1.0
	if sum > 0 {
		mean = sum / float64(total.known)
	}
	for i := range p.groups {
		g := &p.groups[i]
		for range g.known + g.unknown { // so that cases that took nothing are shared out, too
			g.weight += mean / 100
		}
		for range g.unknown {
			g.weight += mean
		}
	}
}

// assign gives each group to the shard with the least weight so far, heavy groups first. Groups of equal
// weight go round, so that each shard has cases of all parts of a file.
func (p *ShardPlanner) assign(count int) {
	order := make([]int32, len(p.groups))
	for i := range order {
		order[i] = int32(i)
	}
	generic.SortStable(order, func(a, b int32) int { return cmp.Compare(p.groups[b].weight, p.groups[a].weight) })
	loads := make([]float64, count)
	for _, i := range order {
		shard := 0
		for other, load := range loads {
			if cmp.Less(load, loads[shard]) {
				shard = other
			}
		}
		p.groups[i].shard = int32(shard)
		loads[shard] += p.groups[i].weight
	}
}

// Positions returns the positions of a shard's cases in a suite, as they were added.
func (p *ShardPlan) Positions(suite int, s Shard) (all []int) {
	for i, shard := range p.suites[suite] {
		if int(shard) == s.Index-1 {
			all = append(all, i)
		}
	}
	return all
}

// Cases returns the number of cases of a suite in all shards.
func (p *ShardPlan) Cases(suite int) int { return len(p.suites[suite]) }
