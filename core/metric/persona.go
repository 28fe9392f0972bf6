package metric

import (
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
)

// Persona is the character of a simulated user.
type Persona struct {
	ID, Description string
	Behaviors       []Behavior
}

// Behavior is one trait of a persona.
type Behavior struct {
	Name, Description string
	Instructions      []string // for the model that plays the user
	Violations        []string // signs that it does not behave so, for the judge of the simulation
}

// Describe returns the persona for the model that plays it or, with its violations, for the judge of
// the simulation. The stop signal is filled in. It is "" for nil.
func (p *Persona) Describe(violations bool) string {
	if p == nil {
		return ""
	}
	parts := []string{p.Description}
	for _, b := range p.Behaviors {
		list := b.Instructions
		if violations {
			list = b.Violations
		}
		parts = append(parts, "## "+b.Name, b.Description, Bullets(list))
	}
	return stopSignalPlace.Replace(strings.Join(parts, "\n\n"))
}

var stopSignalPlace = strings.NewReplacer("{{ stop_signal }}", DefaultStopSignal, "{{stop_signal}}", DefaultStopSignal)

// Bullets returns a list with a line for each text, as ADK's templates show it.
func Bullets(texts []string) string {
	return strings.Join(generic.Map(texts, func(text string) string { return "  * " + text }), "\n")
}

// FindPersona returns the persona that ADK defines under a name (pre_built_personas.py), or nil. Names
// and traits are ADK's, the words are ours.
func FindPersona(name string) *Persona {
	switch name {
	case "EXPERT":
		return &Persona{name, "Knows exactly what it wants and uses the agent as a tool for that. Has little patience with small talk and needless questions.",
			[]Behavior{advanceWithDetails, answerRelevant, correct, helpOnce, endAtSecondFailure, professional}}
	case "NOVICE":
		return &Persona{name, "Wants a problem solved that it does not fully understand, and relies on the agent. Is patient with questions, and can neither correct the agent nor help it.",
			[]Behavior{advanceWithGoal, doNotCorrect, answerAll, endAtFirstFailure, conversational}}
	case "EVALUATOR":
		return &Persona{name, "Finds out whether the agent can help with the goals of the plan.",
			[]Behavior{advanceWithDetails, answerRelevant, endAtFirstFailure, doNotCorrect, conversational}}
	}
	return nil
}

const (
	isStopMissing   = "The plan is done or cannot go on, and the message has no `{{ stop_signal }}`."
	isStopTooEarly  = "The message has `{{ stop_signal }}`, and the plan neither is done nor cannot go on."
	isRepeated      = "The message asks again for something that is done."
	isInvented      = "The message has a goal or a detail that is neither in the plan nor from the agent."
	isSeveral       = "The message asks for several goals at once."
	advances        = "When the agent succeeds, make the plan's next request."
	skips           = "Leave out requests that are done already."
	answersFromPlan = "Answer only from the plan. Say so if you do not know; make nothing up."
	answersNoMore   = "Give no information that the agent did not ask for."
	endsWhenDone    = "The conversation is over when the agent has confirmed that everything in the plan is done, has handed you over to a person, or "
	stops           = "End with `{{ stop_signal }}` when the conversation is over, and not before."
	waits           = "Before you end because all is done, wait until the agent confirms it."
)

var (
	advanceWithDetails = Behavior{"Go on with details", "Keeps to the plan. A new request has all that the agent needs for it.",
		[]string{advances, skips, "Say in a new request what you want to achieve and every detail for it."},
		[]string{isRepeated, isInvented, isSeveral, "The message names a goal only, so that the agent has to ask for details."}}
	advanceWithGoal = Behavior{"Go on with the goal alone", "Keeps to the plan where the agent lets it. A new request names the goal, and the agent has to ask for details.",
		[]string{advances, skips, "Say in a new request only what you want to achieve.", "Give details only when the agent asks for them."},
		[]string{isRepeated, isInvented, isSeveral, "The message gives details before the agent has asked for them."}}
	answerRelevant = Behavior{"Answer what matters", "Answers only questions about the goals of the plan, and otherwise leads the agent back to them.",
		[]string{answersFromPlan, answersNoMore, "Do not answer questions that have nothing to do with the plan's goals."},
		[]string{"The message answers a question that has nothing to do with the goal."}}
	answerAll = Behavior{"Answer everything", "Answers every question of the agent, small talk too.",
		[]string{answersFromPlan, answersNoMore},
		[]string{"The message leaves a question of the agent unanswered.", "The message makes up what is not in the plan, in place of saying that it does not know."}}
	correct = Behavior{"Correct the agent", "Notices the agent's mistakes and corrects them.",
		[]string{"Object to what is illogical or wrong.", "If the agent did something wrong, ask it to mend that."},
		[]string{"The agent said something wrong, and the message goes on as if it were right.", "The agent took something risky for granted, and the message does not object."}}
	doNotCorrect = Behavior{"Do not correct the agent", "Ends the conversation when the agent says something illogical or wrong.",
		[]string{"If the agent says something illogical or wrong, end with `{{ stop_signal }}`."},
		[]string{"The agent made a mistake, and the message corrects it."}}
	helpOnce = Behavior{"Help once", "Helps the agent after its first failure, and only once in a conversation. An answer to a question is no help.",
		[]string{"After the agent's first failure, help it.", "If the conversation shows that you have helped before, do not help again."},
		[]string{"The message ends the conversation at the first failure.", "At the second failure, the message goes on without `{{ stop_signal }}`."}}
	endAtSecondFailure = Behavior{"End in time", endsWhenDone + "has failed twice. A question is no failure.",
		[]string{stops, waits, "Count the agent's failures; the second one ends the conversation."},
		[]string{isStopMissing, isStopTooEarly}}
	endAtFirstFailure = Behavior{"End in time", endsWhenDone + "has failed once. A question is no failure.",
		[]string{stops, waits, "If the agent's last message is a failure, end the conversation."},
		[]string{isStopMissing, isStopTooEarly, "After the first failure, the message goes on without `{{ stop_signal }}`."}}
	professional = Behavior{"Professional tone", "Writes clearly and in technical terms; `{{ stop_signal }}` is allowed.",
		[]string{"Use clear, technical words.", "Use no slang, few abbreviations, no emojis and no small talk."},
		[]string{"The message has slang, many abbreviations or emojis.", "The message has small talk.", "The message is far longer than it has to be.", "The tone differs from that of the user's earlier messages."}}
	conversational = Behavior{"Conversational tone", "Sounds like a person who chats; `{{ stop_signal }}` is allowed.",
		[]string{"Write as in a casual conversation.", "Be neither very formal nor overly polite.", "Do not write bare commands."},
		[]string{"The message is a bare command.", "The message is very formal or overly polite.", "The message is far longer than it has to be.", "The tone differs from that of the user's earlier messages."}}
)
