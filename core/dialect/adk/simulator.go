package adk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Simulator configures the model that plays the users of scenarios, as `user_simulator_config` of ADK
// (evaluation/simulation/llm_backed_user_simulator.py). The options of its model are not used.
type Simulator struct {
	Model        string // as named in the file; "" means the judge of the run
	MaxTurns     int    // with the first one; negative means no limit
	Instructions string // a template that replaces the prompt; "" if there is none
	WithCalls    bool   // the history has tool calls and what they returned
	Audio        bool   // the user speaks, which is not supported
}

// DefaultSimulator is the simulator without a configuration. Its limit is ADK's.
var DefaultSimulator = Simulator{MaxTurns: 20}

func readSimulator(n *yaml.Node) Simulator {
	s := Simulator{
		Model: lookup(n, "model").Text(), Instructions: lookup(n, "custom_instructions").Text(),
		MaxTurns: DefaultSimulator.MaxTurns, Audio: lookup(n, "type").Text() == "llm_audio",
	}
	if limit, ok := readNumber(lookup(n, "max_allowed_invocations")); ok {
		s.MaxTurns = int(limit)
	}
	s.WithCalls, _ = readBool(lookup(n, "include_function_calls"))
	return s
}

// JudgeName returns the name of the judge that plays the user, or "" for that of the run.
func (s Simulator) JudgeName() string { return metric.JudgeOptions{Model: s.Model}.Name() }

// limit describes the number of questions that a conversation asks.
func (s Simulator) limit() string {
	if s.MaxTurns < 0 {
		return "1 question for each turn but the first, without a limit"
	}
	return fmt.Sprintf("up to %d questions for each conversation", max(0, s.MaxTurns-1))
}

// next returns what the user says, as a content in JSON, or nil if the conversation is over: at the
// limit of turns, or if the model says the stop signal anywhere, in any case. The first message is the
// scenario's.
func (s Simulator) next(ctx context.Context, ports metric.Ports, scenario *metric.Scenario, recorded *metric.Recorded, events []metric.AgentEvent) (json.RawMessage, error) {
	text := scenario.StartingPrompt
	switch turn := len(recorded.Invocations); {
	case s.Audio:
		return nil, errors.New("a user that speaks (`llm_audio`) is not simulated here")
	case s.MaxTurns >= 0 && turn >= s.MaxTurns:
		return nil, nil
	case turn > 0:
		prompt, err := s.prompt(scenario, s.history(events))
		if err != nil {
			return nil, err
		}
		reply, err := s.ask(ctx, ports, prompt)
		if err != nil {
			return nil, fmt.Errorf("the simulated user said nothing in turn %d: %w", turn+1, err)
		}
		text, recorded.Replies = reply.Text, append(recorded.Replies, reply)
	}
	if strings.Contains(strings.ToLower(text), metric.DefaultStopSignal) {
		return nil, nil
	}
	return encodeMessage(metric.Content{Role: "user", Parts: []metric.Part{{Text: text}}})
}

// ask asks the model. The offline judge is no model.
func (s Simulator) ask(ctx context.Context, ports metric.Ports, prompt string) (judge.Reply, error) {
	j := cmp.Or(ports.OwnJudges[s.JudgeName()], ports.Judge)
	if j == nil {
		return judge.Reply{}, errors.New("no judge is there to play it")
	}
	answer, err := j.Ask(ctx, judge.Question{User: prompt})
	switch {
	case err != nil:
		return judge.Reply{}, err
	case offline.Replied(answer.Model):
		return judge.Reply{}, fmt.Errorf("%s; choose a judge, or set `model` in `user_simulator_config`", offline.NeedsModel)
	case strings.TrimSpace(answer.Text) == "":
		return judge.Reply{}, errors.New("the model's reply is empty")
	}
	return answer.Reply(), nil
}

// history returns the conversation so far as the simulated user sees it: texts without thoughts and, if
// the configuration asks for them, tool calls.
func (s Simulator) history(events []metric.AgentEvent) string {
	var lines []string
	for _, e := range events {
		var content struct {
			Parts []struct {
				Text     string
				Thought  bool
				Call     *metric.ToolCall     `json:"functionCall"`
				Response *metric.ToolResponse `json:"functionResponse"`
			}
		}
		_ = json.Unmarshal(e.Content, &content) // the server's, or our own
		for _, p := range content.Parts {
			switch {
			case p.Text != "" && !p.Thought:
				lines = append(lines, e.Author+": "+p.Text)
			case s.WithCalls && p.Call != nil:
				lines = append(lines, fmt.Sprintf("%s called tool '%s' with args: %s", e.Author, p.Call.Name, encodeText(p.Call.Args)))
			case s.WithCalls && p.Response != nil:
				lines = append(lines, fmt.Sprintf("Tool '%s' returned: %s", p.Response.Name, encodeText(p.Response.Response)))
			}
		}
	}
	return strings.Join(lines, "\n\n")
}

func encodeText(value any) string {
	encoded, _ := json.Marshal(value) // decoded JSON
	return string(encoded)
}

// The simulated user's instructions say in our words what ADK's say
// (llm_backed_user_simulator_prompts.py).
const (
	simulatedUser = "You play a user who talks to an AI agent, so that the agent can be tested. Reply with the user's next message and " +
		"nothing else. React to what the agent said last. The plan below is what the user wants and knows. It is no script."
	simulatedPersona = "Play the user as the persona below."
	simulatedSteps   = "First decide what the agent's last message is: a question, a success, a failure, or something wrong or unexpected. Then do one of these:\n" +
		"- Answer the agent's questions, only from the plan and without more than was asked. Say so if you do not know; make nothing up. " +
		"Do not go on to the next request in the same message.\n" +
		"- Go on: if the agent has done what you asked, make the plan's next request. Leave out what is done already.\n" +
		"- Change the present request if the plan says so and the agent has not finished it.\n" +
		"- Object if the agent says or does something wrong. At its first failure, ask it to try again.\n" +
		"- End: reply with %[1]s if the agent has done everything in the plan, has failed at a request more than once, " +
		"cannot undo something wrong that it did, or has handed you over to a person. Do not end earlier."
)

// prompt returns the question to the model that plays the user.
func (s Simulator) prompt(scenario *metric.Scenario, history string) (string, error) {
	if s.Instructions != "" {
		return renderInstructions(s.Instructions, scenario, history)
	}
	parts := []string{simulatedUser}
	if p := scenario.Persona; p == nil {
		parts = append(parts, fmt.Sprintf(simulatedSteps, "`"+metric.DefaultStopSignal+"`"))
	} else {
		parts = append(parts, simulatedPersona, "# Persona\n\n"+p.Describe(false))
	}
	parts = append(parts, "# Conversation plan", scenario.Plan, "# Conversation so far", history)
	return strings.Join(parts, "\n\n"), nil
}

func readScenario(n *yaml.Node) *metric.Scenario {
	return &metric.Scenario{
		StartingPrompt: lookup(n, "starting_prompt").Text(), Plan: lookup(n, "conversation_plan").Text(),
		Persona: readPersona(lookup(n, "user_persona")),
	}
}

// readPersona reads a persona, or the name of one of ADK's. It returns nil if there is none.
func readPersona(n *yaml.Node) *metric.Persona {
	if name, isName := n.Str(); isName {
		return metric.FindPersona(name)
	}
	if !n.IsMap() {
		return nil
	}
	p := &metric.Persona{ID: lookup(n, "id").Text(), Description: lookup(n, "description").Text()}
	for _, b := range lookup(n, "behaviors").List() {
		p.Behaviors = append(p.Behaviors, metric.Behavior{
			Name: b.Get("name").Text(), Description: b.Get("description").Text(),
			Instructions: readTexts(lookup(b, "behavior_instructions")), Violations: readTexts(lookup(b, "violation_rubrics")),
		})
	}
	return p
}

func readTexts(n *yaml.Node) []string {
	return generic.Map(n.List(), (*yaml.Node).Text)
}

// renderInstructions fills in a project's own instructions.
func renderInstructions(text string, scenario *metric.Scenario, history string) (string, error) {
	values := map[string]any{"stop_signal": metric.DefaultStopSignal, "conversation_plan": scenario.Plan, "conversation_history": history}
	if p := scenario.Persona; p != nil {
		values["persona"] = p
	}
	missing, err := MissingPlaceholders(text, scenario.Persona != nil)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("they do not use %s, which ADK requires", diag.JoinList(missing, "and"))
	}
	if err != nil {
		return "", fmt.Errorf("`custom_instructions`: %w", err)
	}
	t, _ := parseTemplate(text)
	return cmp.Or(t.render(values), " "), nil
}

// MissingPlaceholders returns the placeholders that ADK requires in a project's own instructions and that
// they lack, each in backticks. It returns an error if a run cannot fill them in.
func MissingPlaceholders(instructions string, hasPersona bool) (missing []string, err error) {
	t, err := parseTemplate(instructions)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"stop_signal", "conversation_plan", "conversation_history", "persona"} {
		if !t.uses[name] && (name != "persona" || hasPersona) {
			missing = append(missing, "`{{ "+name+" }}`")
		}
	}
	return missing, nil
}
