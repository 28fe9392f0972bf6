package offline_test

import "testing"

// TestOpinions holds the judge against people. Both shares are floors: a change
// that lowers one has to say why.
func TestOpinions(t *testing.T) {
	for name, c := range map[string]struct {
		opinions []opinion
		least    int
	}{
		"seen":     {opinions, 98},
		"held out": {heldOut, 26},
	} {
		t.Run(name, func(t *testing.T) {
			right, tooKind := 0, 0
			for _, o := range c.opinions {
				got := satisfied(t, o.criterion, o.submission)
				if got == o.want {
					right++
					continue
				}
				if got {
					tooKind++
				}
				t.Logf("%q of %.30q is %v", o.criterion, o.submission, got)
			}
			t.Logf("%d of %d right; %d satisfied that should not be", right, len(c.opinions), tooKind)
			if right < c.least {
				t.Errorf("%d of %d right, want %d", right, len(c.opinions), c.least)
			}
		})
	}
}
