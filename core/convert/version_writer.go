package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// versionWriter converts AgentV cases to another version of AgentV.
type versionWriter struct {
	lossList
	to          agentv.Version
	inComposite bool // weights of members are in the aggregator
	inTurn      bool // V4 knows no `rubrics` there
	ids         map[string]bool
	// renamesVariables says that prompts have other names of variables than the source's.
	renamesVariables bool
}

// VersionNames are the names of AgentV's versions for users.
var VersionNames = map[string]agentv.Version{"seed": agentv.Seed, "v4": agentv.V4, "head": agentv.Head}

// gradersKeys are the keys of a list of graders.
var gradersKeys = map[agentv.Version]string{agentv.Seed: "evaluators", agentv.V4: "assertions", agentv.Head: "assert"}

// VersionOf returns the version of a suite.
func VersionOf(suite *rubric.Suite) agentv.Version {
	return cmp.Or(agentv.Version(suite.Version), agentv.Seed)
}

// ToVersion converts AgentV cases to another version's file. tree is the source's: its comments and other keys
// are losses. name is the base name of the file, without extension.
func ToVersion(suite *rubric.Suite, tree *yaml.Tree, to agentv.Version, name string) (Conversion, error) {
	w, root := &versionWriter{to: to, ids: map[string]bool{}, renamesVariables: (to == agentv.Seed) != (VersionOf(suite) == agentv.Seed)}, tree.Root()
	w.noteOtherKeys(root)
	if len(tree.Comments) > 0 {
		w.addLoss("", "comments are left out")
	}
	var cases []mapping
	for _, c := range suite.Cases {
		if m := w.convertCase(c); m != nil {
			cases = append(cases, m)
		}
	}
	if len(cases) == 0 {
		return Conversion{}, ErrNoCases
	}
	m := mapping{}
	title := root.Get("name").Text()
	m.addIf(title != "" && to != agentv.Seed, "name", title)
	m.addIf(title != "" && to == agentv.Seed, "dataset", title)
	m.addIf(suite.Description != "", "description", suite.Description)
	m = append(m, w.targets(suite.Targets)...)
	key := "tests"
	switch to {
	case agentv.Seed:
		key = agentv.CasesKey
	case agentv.Head:
		m = append(m, entry{"prompts", []string{"{{ input }}"}})
	}
	var b strings.Builder
	append(m, entry{key, cases}).writeBlock(&b, 0)
	return Conversion{Files: []File{{name + ".eval.yaml", b.String()}}, Losses: w.losses()}, nil
}

// targets returns the entry of the systems under test.
func (w *versionWriter) targets(names []string) mapping {
	switch {
	case len(names) == 0:
		return nil
	case w.to == agentv.Head:
		return mapping{{"providers", names}}
	case len(names) > 1 && w.to == agentv.V4:
		return mapping{{"execution", mapping{{"targets", names}}}}
	case len(names) > 1:
		w.addLoss("", "a file has one target: `%s` is the one", names[0])
	}
	return mapping{{"execution", mapping{{"target", names[0]}}}}
}

// Keys that the conversion carries over, in some form.
var (
	convertedFileKeys = strings.Fields("$schema name description dataset evalcases eval_cases cases tests scenarios testcases prompts default_test " +
		"input expected_output assert assertions evaluators execution target targets providers threshold input_files evaluator")
	convertedCaseKeys = strings.Fields("id criteria expected_outcome outcome description vars input input_messages expected_output expected_messages " +
		"assert assertions evaluators execution rubrics threshold run mode turns aggregation on_turn_failure window_size input_files conversation_id note evaluator prompts")
	convertedExecutionKeys = strings.Fields("target targets evaluators assert threshold skip_defaults")
)

// noteOtherKeys notes the keys of a file and its cases that are not converted.
func (w *versionWriter) noteOtherKeys(root *yaml.Node) {
	note := func(n *yaml.Node, id string, converted []string) {
		for _, p := range n.Entries() {
			if !slices.Contains(converted, p.Key.Value) {
				w.addLoss(id, "`%s` is left out", p.Key.Value)
			}
		}
	}
	note(root, "", convertedFileKeys)
	note(root.Get("execution"), "", convertedExecutionKeys)
	note(root.Get("default_test").Get("options"), "", []string{"provider", "rubric_prompt"})
	for _, key := range append([]string{agentv.CasesKey}, agentv.CasesKeys...) {
		for _, c := range root.Get(key).List() {
			id := c.Get("id").Text()
			note(c, id, convertedCaseKeys)
			note(c.Get("execution"), id, convertedExecutionKeys)
			note(c.Get("run"), id, []string{"threshold"})
		}
	}
}

// convertCase returns a case, or nil if the version cannot express it.
func (w *versionWriter) convertCase(c *rubric.Case) mapping {
	if c.Conversation != nil && (w.to == agentv.Seed || c.Conversation.Unsupported != "") {
		w.addLoss(c.ID, "conversations of several turns are left out")
		return nil
	}
	input := messagesValue(w.withoutPictures(c.ID, c.Input))
	if input == "" {
		w.addLoss(c.ID, "the prompt is not in the file: the case is left out")
		return nil
	}
	m := mapping{{"id", w.uniqueID(c.ID)}}
	if hasObject(c.Input) || hasObject(c.Expected) {
		w.addLoss(c.ID, "keys of data are sorted")
	}
	m.addIf(c.ConversationID != "", "conversation_id", c.ConversationID)
	list := c.Graders
	talk, own := c.Conversation, []*rubric.Grader(nil)
	if talk != nil {
		list, own = nil, c.Graders[:len(talk.Turns)]
		if len(c.Graders) > len(talk.Turns) {
			list = c.Graders[len(talk.Turns)].Members
		}
	}
	graders := w.graders(c, list)
	m = append(m, w.goal(c, len(list) > 0 || talk != nil)...)
	texts := mapping{{"input", input}}
	expected := expectedValue(c.Expected)
	texts.addIf(expected != nil, "expected_output", expected)
	if w.to == agentv.Head {
		texts = mapping{{"vars", texts}}
	}
	m = append(m, texts...)
	if talk != nil {
		m = append(m, w.conversation(c, talk, own)...)
	}
	least, execution := w.threshold(c)
	m = append(m, least...)
	if w.to == agentv.Seed {
		execution.addIf(len(graders) > 0, gradersKeys[w.to], graders)
	} else {
		m.addIf(len(graders) > 0, gradersKeys[w.to], graders)
	}
	m.addIf(len(execution) > 0, "execution", execution)
	return m
}

// uniqueID returns the id of a case. Cases of scenarios and combinations of variables can have equal ones.
func (w *versionWriter) uniqueID(id string) string {
	unique := id
	for n := 2; w.ids[unique]; n++ {
		unique = fmt.Sprintf("%s-%d", id, n)
	}
	if w.ids[unique] = true; unique != id {
		w.addLoss(id, "ids are unique: the id of one of several cases gets a number")
	}
	return unique
}

// threshold returns a case's threshold: as an entry of the case, or of its `execution`.
func (w *versionWriter) threshold(c *rubric.Case) (own, execution mapping) {
	least := c.PassAt(false)
	switch {
	case least == nil:
	case w.to == agentv.Seed:
		w.addLoss(c.ID, "a case has no threshold: it is left out")
	case w.to == agentv.V4:
		execution = mapping{{"threshold", *least}}
	default:
		own = mapping{{"run", mapping{{"threshold", *least}}}}
	}
	return own, execution
}

// withoutPictures returns messages without the pictures in them, which the oldest version refuses.
func (w *versionWriter) withoutPictures(id string, messages []rubric.Message) []rubric.Message {
	if w.to != agentv.Seed {
		return messages
	}
	messages = slices.Clone(messages)
	for i, m := range messages {
		items, _ := m.Content.([]any)
		rest := slices.DeleteFunc(slices.Clone(items), func(item any) bool {
			part, _ := item.(map[string]any)
			return part["type"] == "image"
		})
		if len(rest) < len(items) {
			w.addLoss(id, "pictures are left out")
			messages[i].Content = rest
		}
	}
	return messages
}

// hasObject reports whether a message has an object in its content or in the arguments of a call.
func hasObject(messages []rubric.Message) bool {
	return slices.ContainsFunc(messages, func(m rubric.Message) bool {
		_, isData := m.Content.(map[string]any)
		return isData || m.ToolCalls != nil
	})
}

// goal returns the expected outcome. The oldest version requires one, and the newest reads one only in
// a case without graders.
func (w *versionWriter) goal(c *rubric.Case, hasGraders bool) mapping {
	goal := c.ExpectedOutcome
	switch {
	case w.to == agentv.Seed && goal == "":
		w.addLoss(c.ID, "`expected_outcome` is required: it is filled with the criteria, or with a placeholder")
		var texts []string
		for _, g := range c.Graders {
			for _, criterion := range g.Criteria {
				if !isNegated(g) {
					texts = append(texts, criterion.Text)
				}
			}
		}
		return mapping{{"expected_outcome", cmp.Or(strings.Join(texts, "; "), "Answers the user")}}
	case w.to == agentv.Seed:
		return mapping{{"expected_outcome", goal}}
	case goal == "":
		return nil
	case w.to == agentv.V4:
		return mapping{{"criteria", goal}}
	case hasGraders:
		w.addLoss(c.ID, "judges see no goal of a case with graders: it becomes the `description`")
		return mapping{{"description", goal}}
	}
	if c.Fallback != rubric.NoGrader {
		w.addLoss(c.ID, "a case without graders is judged by its goal as a criterion")
	}
	return mapping{{"criteria", goal}}
}

// conversation returns the turns of a case. own are their graders.
func (w *versionWriter) conversation(c *rubric.Case, talk *rubric.Conversation, own []*rubric.Grader) mapping {
	m := mapping{{"mode", "conversation"}}
	m.addIf(talk.Aggregation != "", "aggregation", talk.Aggregation)
	m.addIf(talk.StopAtFailure, "on_turn_failure", "stop")
	m.addIf(talk.Window > 0, "window_size", talk.Window)
	var turns []mapping
	for i, turn := range talk.Turns {
		t := mapping{{"input", messagesValue(turn.Input)}}
		expected := expectedValue(turn.Expected)
		t.addIf(expected != nil, "expected_output", expected)
		var members []*rubric.Grader
		for _, g := range own[i].Members {
			named := *g
			named.Name = strings.TrimPrefix(g.Name, own[i].Name+"/")
			members = append(members, &named)
		}
		w.inTurn = true
		graders := w.graders(c, members)
		w.inTurn = false
		t.addIf(len(graders) > 0, gradersKeys[w.to], graders)
		turns = append(turns, t)
	}
	return append(m, entry{"turns", turns})
}

// messagesValue returns messages, or the text of the only one.
func messagesValue(messages []rubric.Message) any {
	if text, isText := onlyText(messages, "user"); isText {
		return text
	}
	return messageEntries(messages)
}

// expectedValue returns expected messages, or the content of the only one. It is nil for none.
func expectedValue(messages []rubric.Message) any {
	if len(messages) == 0 {
		return nil
	}
	if text, isText := onlyText(messages, "assistant"); isText {
		return text
	}
	if data, isData := messages[0].Content.(map[string]any); len(messages) == 1 && isData && messages[0].Role == "assistant" && messages[0].ToolCalls == nil && messages[0].Name == "" {
		return data
	}
	return messageEntries(messages)
}

func onlyText(messages []rubric.Message, role string) (text string, ok bool) {
	if len(messages) != 1 || messages[0].Role != role || messages[0].ToolCalls != nil || messages[0].Name != "" {
		return "", false
	}
	text, ok = messages[0].Content.(string)
	return text, ok
}

func messageEntries(messages []rubric.Message) (all []mapping) {
	for _, message := range messages {
		m := mapping{{"role", message.Role}}
		m.addIf(message.Name != "", "name", message.Name)
		m.addIf(message.Content != nil, "content", message.Content)
		m.addIf(message.ToolCalls != nil, "tool_calls", message.ToolCalls)
		all = append(all, m)
	}
	return all
}
