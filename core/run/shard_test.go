package run_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

func TestParseShard(t *testing.T) {
	for _, c := range []struct{ text, env, want string }{
		{"3/8", "", "3/8"},
		{"1/1", "", "1/1"},
		{"1000/1000", "", "1000/1000"},
		{"-1/8", "", "must be a shard such as `3/8`, or `auto` under a scheduler, not `-1/8`"},
		{"auto", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8", "3/8"},
		{"auto/8", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=1", "3/8"}, // submitted again
		{"auto/8", "JOB_COMPLETION_INDEX=0", "1/8"},
		{"auto/8", "JOB_COMPLETION_INDEX=7", "8/8"},
		{"auto", "CI_NODE_INDEX=2 CI_NODE_TOTAL=4", "2/4"},
		{"9/8", "", "must be a shard such as `3/8`, or `auto` under a scheduler, not `9/8`"},
		{"0/8", "", "must be a shard such as `3/8`, or `auto` under a scheduler, not `0/8`"},
		{"3", "", "must be a shard such as `3/8`, or `auto` under a scheduler, not `3`"},
		{"3/5000", "", "must be a shard such as `3/8` with at most 1000 shards, not `3/5000`"},
		{"auto", "", "is `auto`, but none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and CI_NODE_INDEX is set; write a shard such as `3/8`"},
		{"auto", "JOB_COMPLETION_INDEX=0", "is `auto`, but Kubernetes does not say how many jobs there are; write `auto/8` for 8"},
		{"auto/8", "JOB_COMPLETION_INDEX=8", "is `auto`, but JOB_COMPLETION_INDEX is `8`, and the jobs of Kubernetes must be numbered from 0 to 7"},
		{"auto", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=8", "is `auto`, but SLURM_ARRAY_TASK_ID is `0`, and the jobs of Slurm must be numbered from 1 to 8"},
		{"auto/8", "JOB_COMPLETION_INDEX=1 CI_NODE_INDEX=1", "is `auto`, but both JOB_COMPLETION_INDEX and CI_NODE_INDEX are set; write a shard such as `3/8`"},
	} {
		shard, err := run.ParseShard(c.text, func(name string) string {
			_, value, _ := strings.Cut(" "+c.env, " "+name+"=")
			value, _, _ = strings.Cut(value, " ")
			return value
		})
		got := shard.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.text, c.env, got, c.want)
		}
	}
}

// planOf plans shards of a suite whose cases have names and, with a colon, what they depend on.
func planOf(count int, earlier map[string]run.CaseCost, cases ...string) (plan *run.ShardPlan, shards string) {
	s := &rubric.Suite{Name: "s"}
	for _, text := range cases {
		id, needs, _ := strings.Cut(text, ":")
		c := &rubric.Case{ID: id, Question: id}
		if needs != "" {
			c.DependsOn = strings.Split(needs, ",")
		}
		s.Cases = append(s.Cases, c)
	}
	p := run.ShardPlanner{Earlier: map[run.CaseName]run.CaseCost{}}
	for id, cost := range earlier {
		p.Earlier[run.CaseName{Dataset: "s", ID: id, Target: "t"}] = cost
	}
	r := run.Runner{TargetName: "t"}
	ordered := slices.Collect(run.InOrder(s, slices.Values(s.Cases)))
	p.AddSuite("s", r, s, slices.Values(ordered))
	plan = p.Plan(count, "")
	var all []string
	for i := range count {
		var ids []string
		for _, position := range plan.Positions(0, run.Shard{Index: i + 1, Count: count}) {
			ids = append(ids, ordered[position].ID)
		}
		all = append(all, strings.Join(ids, " "))
	}
	return plan, strings.Join(all, " | ")
}

func TestShardPlan(t *testing.T) {
	for _, c := range []struct {
		name    string
		count   int
		cases   string
		earlier map[string]run.CaseCost
		want    string
	}{
		{"by count", 3, "a b c d e f g", nil, "a d g | b e | c f"},
		{"more shards than cases", 3, "a b", nil, "a | b | "},
		{"a slow case", 2, "a b c d", map[string]run.CaseCost{"a": {Time: 30}, "b": {Time: 10}, "c": {Time: 10}, "d": {Time: 10}}, "a | b c d"},
		{"a dear case", 2, "a b c d", map[string]run.CaseCost{"a": {USD: 1}, "b": {USD: 1}, "c": {USD: 3}, "d": {USD: 1}}, "c | a b d"},
		{"time and cost", 2, "a b c d", map[string]run.CaseCost{"a": {Time: 8, USD: 1}, "b": {Time: 1, USD: 8}, "c": {Time: 1, USD: 1}, "d": {Time: 1, USD: 1}}, "a c | b d"},
		{"new cases are as heavy as the mean", 2, "a b new c d", map[string]run.CaseCost{"a": {Time: 10}, "b": {Time: 10}, "c": {Time: 10}, "d": {Time: 50}}, "d | a b new c"},
		{"several new cases", 2, "a b new newer", map[string]run.CaseCost{"a": {Time: 10}, "b": {Time: 10}}, "a new | b newer"},
		{"a new case first", 2, "new a b", map[string]run.CaseCost{"a": {Time: 10}, "b": {Time: 10}}, "new b | a"},
		{"cases that took nothing", 2, "a b c d e", map[string]run.CaseCost{"a": {}, "b": {}, "c": {}, "d": {}, "e": {Time: 10}}, "e | a b c d"},
		{"nothing is known of earlier cases", 2, "a b c d", map[string]run.CaseCost{"a": {}, "b": {}}, "a c | b d"},
		{"dependencies stay together", 3, "b:a a x y c:b", nil, "a b c | x | y"},
	} {
		if _, got := planOf(c.count, c.earlier, strings.Fields(c.cases)...); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestShardPlanFingerprint: everything that decides about the cases of a shard changes the plan's fingerprint,
// and nothing else does.
func TestShardPlanFingerprint(t *testing.T) {
	of := func(count int, earlier map[string]run.CaseCost, cases ...string) string {
		plan, _ := planOf(count, earlier, cases...)
		return plan.Fingerprint
	}
	slow := map[string]run.CaseCost{"a": {Time: time.Minute}, "b": {Time: time.Second}, "c": {Time: time.Second}}
	first := of(2, slow, "a", "b", "c")
	if again := of(2, slow, "a", "b", "c"); again != first {
		t.Errorf("equal plans have the fingerprints %s and %s", first, again)
	}
	for name, other := range map[string]string{
		"count": of(3, slow, "a", "b", "c"), "order": of(2, slow, "a", "c", "b"), "cases": of(2, slow, "a", "b"), "earlier": of(2, nil, "a", "b", "c"),
	} {
		if other == first {
			t.Errorf("%s: the fingerprint is the same", name)
		}
	}
}

// TestShardBalance: with the times of 1,000 cases, of which some take a hundred times as long, the slowest of 8
// shards takes no more than 2 % longer than the mean.
func TestShardBalance(t *testing.T) {
	earlier := map[string]run.CaseCost{}
	var cases []string
	var total time.Duration
	for i := range 1000 {
		id := fmt.Sprintf("case-%d", i)
		took := time.Duration(1+i%7) * time.Second
		if i%50 == 0 {
			took *= 100
		}
		cases, total = append(cases, id), total+took
		earlier[id] = run.CaseCost{Time: took}
	}
	_, shards := planOf(8, earlier, cases...)
	for i, ids := range strings.Split(shards, " | ") {
		var took time.Duration
		for id := range strings.FieldsSeq(ids) {
			took += earlier[id].Time
		}
		if limit := total / 8 * 102 / 100; took > limit {
			t.Errorf("shard %d takes %s, more than %s", i+1, took, limit)
		}
	}
}

// TestCostOf reads what a case took from its record, or else from its trace.
func TestCostOf(t *testing.T) {
	second := run.CaseCost{Time: time.Second}
	for _, c := range []struct {
		rec  run.Record
		want run.CaseCost
	}{
		{run.Record{DurationMS: new(1000.0), TraceSummary: &grade.Trace{DurationMS: new(5.0)}}, second},
		{run.Record{TraceSummary: &grade.Trace{DurationMS: new(1000.0)}}, second},
		{run.Record{DurationMS: new(1000.0)}, second}, {run.Record{}, run.CaseCost{}}, {run.Record{DurationMS: new(math.Inf(1))}, run.CaseCost{}},
		{run.Record{DurationMS: new(-1.0)}, run.CaseCost{}},
		{run.Record{TraceSummary: &grade.Trace{CostUSD: new(0.5)}, Graders: []run.GraderRecord{{Replies: []judge.Reply{{Model: "m", Usage: judge.Usage{Input: 1, Cost: new(0.25)}}}}}}, run.CaseCost{USD: 0.75}},
	} {
		if got := run.CostOf(&c.rec); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.rec, got, c.want)
		}
	}
}
