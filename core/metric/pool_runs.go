package metric

import "strings"

// PoolRuns is what several runs of one case amount to: for each metric the mean
// over all turns of all runs, in the order of first appearance. A run that broke
// down before anything was measured fails the case. One run is what it is.
func PoolRuns(runs []CaseResult) CaseResult {
	if len(runs) == 1 {
		return runs[0]
	}
	pooled := CaseResult{Metrics: []Result{}}
	place := map[string]int{}
	broken := false
	var answers []string
	for _, run := range runs {
		answers = append(answers, run.Answer)
		broken = broken || run.Status == Failed && len(run.Metrics) == 0
		for _, m := range run.Metrics {
			i, ok := place[m.Metric]
			if !ok {
				i = len(pooled.Metrics)
				place[m.Metric] = i
				pooled.Metrics = append(pooled.Metrics, Result{Metric: m.Metric, Threshold: m.Threshold})
			}
			p := &pooled.Metrics[i]
			p.Invocations = append(p.Invocations, m.Invocations...)
			if p.Notice == "" {
				p.Notice = m.Notice
			}
		}
	}
	pooled.Answer = strings.Join(answers, "\n\n")
	var statuses []Status
	for i := range pooled.Metrics {
		p := &pooled.Metrics[i]
		p.Score = Mean(turnScores(p.Invocations))
		if p.Status = StatusOf(p.Score, p.Threshold); p.Status == NotEvaluated {
			p.Reason = noScoreReason(p.Invocations)
		}
		statuses = append(statuses, p.Status)
	}
	if pooled.Status = CaseStatus(statuses); broken {
		pooled.Status, pooled.Reason = Failed, "a run broke down before anything was measured"
	}
	return pooled
}
