package score

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// WeightedResult is one grader's share in a case, or one member's in a composite.
type WeightedResult struct {
	Name   string
	Weight float64
	Result Result
}

// OthersPass returns the parts of a case in which one grader has a result and the others give full marks.
func OthersPass(c *rubric.Case, graded *rubric.Grader, r Result) (parts []WeightedResult) {
	for _, g := range c.Graders {
		part := WeightedResult{Name: g.Name, Weight: g.Weight, Result: PlainResult(1, nil, nil, "")}
		if g == graded {
			part.Result = r
		}
		parts = append(parts, part)
	}
	return parts
}

// CaseResult is a case's result.
type CaseResult struct {
	Score     *float64 `json:"score"` // 0–1; nil if the verdict is Ungraded
	Verdict   Verdict  `json:"verdict"`
	Gates     []Gate   `json:"gates"` // of all graders
	Hits      []string `json:"hits"`
	Misses    []string `json:"misses"`
	Reasoning string   `json:"reasoning,omitempty"`
	Ungraded  int      `json:"ungraded"`          // criteria, and graders without criteria, that were not judged
	Reasons   []string `json:"reasons,omitempty"` // why the verdict is not a pass

	exactScore *big.Rat
	refusal    string   // why there is no score at all
	threshold  *float64 // lowest score of a pass; nil means PassAt
	skipped    bool     // a whole grader is ungraded
}

// Case combines graders' results: score = Σ score·weight ÷ Σ weight. A grader of weight 0 does not
// affect the score; its findings are listed. threshold is the score, 0–1, from which a case passes;
// nil means PassAt. [AgentV] predates such files and ignores it.
//
// Under [Spec] a failed gate of any grader fails the case. Otherwise a case with an ungraded part
// is [Ungraded] and has no score. In a case that fails, ungraded parts keep their weight, so that
// the score is a lower bound. Under the others the verdict follows from the score alone. Only
// [AgentV4] and [AgentVHead] have gates here, those of whole graders: an unmet one, like an
// ungraded part, makes the score 0.
func Case(profile Profile, threshold *float64, parts []WeightedResult) CaseResult {
	c := CaseResult{Score: new(float64), Verdict: Fail, Gates: []Gate{}, Hits: []string{}, Misses: []string{}}
	if profile != AgentV {
		c.threshold = threshold
	}
	var reasoning []string
	for _, p := range parts {
		c.Hits = append(c.Hits, p.Result.Hits...)
		c.Misses = append(c.Misses, p.Result.Misses...)
		for _, g := range p.Result.Gates {
			g.Grader = p.Name
			c.Gates = append(c.Gates, g)
		}
		if p.Result.Reasoning != "" {
			reasoning = append(reasoning, p.Name+": "+p.Result.Reasoning)
		}
		c.Ungraded += p.Result.ungradedCount()
		c.skipped = c.skipped || p.Result.Ungraded != ""
	}
	c.Reasoning = strings.Join(reasoning, " | ")
	switch {
	case profile == Promptfoo:
		c.applyPromptfoo(parts)
	case profile.IsReference():
		c.applyAgentV(profile, parts)
	default:
		c.applySpec(parts)
	}
	return c
}

// CombineTurn combines the graders of one turn of a conversation, as those of a case. A turn
// without graders has the reference's score, 1.
func CombineTurn(profile Profile, threshold *float64, parts []WeightedResult) Result {
	switch {
	case len(parts) == 0:
		return PlainResult(1, nil, nil, "nothing grades this turn")
	case profile.IsReference():
		c := Case(profile, threshold, parts)
		r := PlainResult(*c.Score, c.Hits, c.Misses, c.Reasoning)
		r.Verdict = c.Verdict
		return r
	}
	return Combine(profile, threshold, parts)
}

// Combine is Case for the members of a composite grader: the same sums, with each finding marked by
// its member. In the reference's versions members have no gates, and [AgentV4] and [AgentVHead]
// skip ungraded ones unless all are.
func Combine(profile Profile, threshold *float64, parts []WeightedResult) Result {
	if profile.IsV4OrLater() {
		graded := gradedParts(parts)
		if len(graded) == 0 && len(parts) > 0 {
			return UngradedResult(strings.Join(ungradedReasons(parts), "; "))
		}
		parts = graded
	}
	c := Case(profile, threshold, parts)
	var value float64
	switch {
	case profile.IsReference():
		value = weightedMean(parts)
	case c.exactScore != nil:
		value = nearest(c.exactScore)
	}
	if profile.IsV4OrLater() {
		c.Verdict = profile.verdict(value, nil)
	}
	r := Result{Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Reasoning: c.Reasoning, exactScore: c.exactScore}
	r.setScore(value, c.Verdict)
	for _, p := range parts {
		for _, h := range p.Result.Hits {
			r.Hits = append(r.Hits, "["+p.Name+"] "+h)
		}
		for _, m := range p.Result.Misses {
			r.Misses = append(r.Misses, "["+p.Name+"] "+m)
		}
	}
	if profile.IsReference() {
		return r
	}
	for _, g := range c.Gates {
		if !g.isGraderGate() {
			g.ID = g.Grader + "/" + g.ID
		}
		g.Grader = ""
		r.Gates = append(r.Gates, g)
	}
	reasons := ungradedReasons(parts)
	if c.refusal != "" {
		reasons = append([]string{c.refusal}, reasons...)
	}
	r.Ungraded = strings.Join(reasons, "; ")
	return r
}

// ungradedCount counts what was not judged: criteria one by one, or else the grader.
func (r Result) ungradedCount() int {
	n := 0
	for _, g := range r.Grades {
		if g.Ungraded != "" {
			n++
		}
	}
	if n == 0 && r.Ungraded != "" {
		n = 1
	}
	return n
}

// applySpec sets score, verdict and reasons by the rules as written. Failed gates are the first
// reasons, because they fail the case whatever its score.
func (c *CaseResult) applySpec(parts []WeightedResult) {
	for _, g := range c.Gates {
		if g.Failed() {
			c.Reasons = append(c.Reasons, g.FailureMessage())
		}
	}
	sum, all := new(big.Rat), new(big.Rat)
	for _, p := range parts {
		weight, ok := decimal(new(big.Rat), p.Weight)
		if !ok {
			c.refuse(fmt.Sprintf("the weight %s of `%s` cannot be added", FormatNumber(p.Weight), p.Name))
			return
		}
		sum.Add(sum, new(big.Rat).Mul(p.Result.exactValue(), weight))
		all.Add(all, weight)
	}
	switch {
	case len(parts) == 0:
		c.refuse("no grader is configured")
		return
	case all.Sign() <= 0:
		c.refuse(fmt.Sprintf("the weights of its graders add up to %s, so there is no score", all.RatString()))
		return
	}
	c.exactScore = clampedRatio(sum, all)
	value := nearest(c.exactScore)
	c.Score, c.Verdict = &value, settled(exactVerdict(c.exactScore, c.threshold), c.Ungraded > 0, c.Gates)
	ofScore, least := exactVerdict(c.exactScore, c.threshold), thresholdOrDefault(c.threshold)
	if ofScore == Fail { // the bound that it misses is that of borderline
		least = min(least, BorderlineAt)
	}
	switch {
	case c.Verdict == Ungraded:
		c.Score = nil
	case ofScore != Pass:
		c.Reasons = append(c.Reasons, "score "+formatBelow(value, least)+" is below "+FormatNumber(least))
	}
	c.Reasons = append(c.Reasons, ungradedReasons(parts)...)
}

// settled returns Fail if a gate failed, else Ungraded if a part is ungraded, else the verdict of
// the score.
func settled(verdict Verdict, ungraded bool, gates []Gate) Verdict {
	switch {
	case slices.ContainsFunc(gates, Gate.Failed):
		return Fail
	case ungraded:
		return Ungraded
	}
	return verdict
}

// refuse records that the case as a whole has no score.
func (c *CaseResult) refuse(reason string) {
	c.refusal = reason
	if c.Verdict = settled(Ungraded, true, c.Gates); c.Verdict == Ungraded {
		c.Score = nil
	}
	c.Ungraded++
	c.Reasons = append(c.Reasons, reason)
}

func ungradedReasons(parts []WeightedResult) []string {
	var reasons []string
	for _, p := range parts {
		if p.Result.Ungraded != "" {
			reasons = append(reasons, fmt.Sprintf("`%s` is ungraded: %s", p.Name, p.Result.Ungraded))
		}
	}
	return reasons
}

// applyAgentV sets score and verdict as the versions of the reference do.
func (c *CaseResult) applyAgentV(profile Profile, parts []WeightedResult) {
	value := weightedMean(parts)
	c.Score, c.Verdict = &value, profile.verdict(value, c.threshold)
	if !profile.IsV4OrLater() {
		return
	}
	if len(parts) == 0 && profile == AgentVHead {
		value, c.Verdict = 1, Pass
	}
	for _, g := range c.Gates {
		if g.Whole && g.Failed() {
			c.Reasons = append(c.Reasons, g.FailureMessage())
		}
	}
	c.Reasons = append(c.Reasons, ungradedReasons(parts)...)
	if len(c.Reasons) > 0 {
		value, c.Verdict = 0, Fail
	}
}

// weightedMean returns the weighted mean of parts as the reference computes it.
func weightedMean(parts []WeightedResult) float64 {
	shares := make([]Share, len(parts))
	for i, p := range parts {
		shares[i] = Share{p.Result.value(), p.Weight}
	}
	value, _ := meanAgentV(shares)
	return value
}

func gradedParts(parts []WeightedResult) []WeightedResult {
	return slices.DeleteFunc(slices.Clone(parts), func(p WeightedResult) bool { return p.Result.Ungraded != "" })
}
