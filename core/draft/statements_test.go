package draft_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/rubric"
)

// TestStatements checks the criteria for the statements of an outcome and for the longer statements
// of a reference answer.
func TestStatements(t *testing.T) {
	for _, c := range []struct {
		outcome, reference string
		want               string // ids, with a star where required
	}{
		{"Names thirty days", "", "draft-names-thirty-days*"},
		{"States the window and offers a label", "", "draft-states-window* draft-offers-label*"},
		{"Greets the user by name and offers help", "", "draft-greets-user-by* draft-offers-help*"},
		{"The answer is accurate and polite. Be clear and concise", "", "draft-answer-accurate* draft-answer-polite* draft-clear* draft-concise*"},
		{"Says hello, names the user and offers help", "", "draft-says-hello* draft-names-user* draft-offers-help*"},
		{"Refuses politely, as the policy forbids it and as the law does", "", "draft-refuses-politely-as*"},
		{"Reports the total, less the discount and plus the tax", "", "draft-reports-total-less*"},
		{"Says that if the flight is late, passengers at the gate get food", "", "draft-says-if-flight*"},
		{"Offers a label, has a date and is on topic", "", "draft-offers-label* draft-has-date* draft-topic*"},
		{"Names a capital, e.g. Paris. Thanks Dr. No", "", "draft-names-capital-e* draft-thanks-dr-no*"},
		{"Returns `a(); b()` of it. Says \"No! Stop.\" aloud; ends", "", "draft-returns-b* draft-says-no-stop* draft-ends*"},
		{"Names colours, sizes and prices of a shoe", "", "draft-names-colours-sizes*"},
		{"Explains the refund policy and the next step", "", "draft-explains-refund-policy*"},
		{"- Names 30 days\n- Asks for the number\n2. Is kind", "", "draft-names-30-days* draft-asks-number* draft-kind*"},
		{"Gives the\nfull address. Thanks! ", "", "draft-gives-full-address* draft-thanks*"},
		{"Is right; is right", "", "draft-right* draft-right-2*"},
		{"日本語で答える", "", "draft-criterion*"},
		{"Answers", "Hello. The window is thirty days. You \"may\" send it back now.", "draft-answers* draft-window-thirty-days draft-you-may-send"},
		{"A. B. C. D. E. F. G. H. I.", "The window is thirty days.", "draft-criterion* draft-b* draft-c* draft-d* draft-e* draft-f* draft-g*"},
		{"", "", ""},
		{" \n- \n . ", "", ""},
	} {
		criteria := draft.Statements(&rubric.Case{ExpectedOutcome: c.outcome, ReferenceAnswer: c.reference})
		var ids []string
		for _, k := range criteria {
			star := ""
			if k.Required {
				star = "*"
			}
			ids = append(ids, k.ID+star)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.outcome, c.reference, got, c.want)
		}
		if faults := draft.Problems(criteria); len(faults) > 0 {
			t.Errorf("%q: %v", c.outcome, faults)
		}
	}
	all := fmt.Sprint(draft.Statements(&rubric.Case{ExpectedOutcome: "Is so", ReferenceAnswer: `She said "no" to it.`}))
	if !strings.Contains(all, `Conveys that "She said 'no' to it"`) {
		t.Error(all)
	}
}
