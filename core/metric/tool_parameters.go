package metric

import "context"

// measureParameters is the mean over the expected calls of the share of their
// arguments that the actual call has. Calls are set side by side by name, in
// order; a call that is missing has none, an expected one without arguments has
// all. A turn without expected calls is not evaluated.
func measureParameters(_ context.Context, _ evaluation, t turn) (InvocationResult, error) {
	expected := t.expected.Calls()
	if len(expected) == 0 {
		return InvocationResult{Reason: "no tool calls are expected"}, nil
	}
	actual := t.actual.Calls()
	sum := 0.0
	for _, want := range expected {
		for n, call := range actual {
			if call.Name == want.Name {
				sum += matchingShare(call.Args, want.Args)
				actual = actual[n+1:]
				break
			}
		}
	}
	return InvocationResult{Score: number(sum / float64(len(expected)))}, nil
}

// matchingShare is the share of the expected arguments that are given.
func matchingShare(given, expected map[string]any) float64 {
	if len(expected) == 0 {
		return 1
	}
	n := 0
	for name, want := range expected {
		have, ok := given[name]
		if ok && sameValue(have, want) {
			n++
		}
	}
	return float64(n) / float64(len(expected))
}
