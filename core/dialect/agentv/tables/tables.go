package tables

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// fileKinds are the kinds of files, those of a version together.
var fileKinds = []agentv.File{
	{Version: agentv.Stable, Role: agentv.NewerEval, Name: "agentv-stable", Title: "AgentV 4.42.4 eval file", Type: StableEval},
	{Version: agentv.Stable, Role: agentv.Cases, Name: "agentv-stable-test", Title: "AgentV 4.42.4 test, a line of a JSONL file", Type: stableListedTestType},
	{Version: agentv.Stable, Role: agentv.TestList, Name: "agentv-stable-tests", Title: "AgentV 4.42.4 list of tests", Type: schema.ListOf(stableListedTestType)},
	{Version: agentv.Head, Role: agentv.NewerEval, Name: "agentv-head", Title: "AgentV 5.3.1-next.1 eval file", Type: HeadEval},
	{Version: agentv.Head, Role: agentv.Cases, Name: "agentv-head-test", Title: "AgentV 5.3.1-next.1 test, a line of a JSONL file", Type: HeadTest},
	{Version: agentv.Head, Role: agentv.TestList, Name: "agentv-head-tests", Title: "AgentV 5.3.1-next.1 list of tests", Type: schema.ListOf(HeadTest)},
	{Version: agentv.Head, Role: agentv.ScenarioList, Name: "agentv-head-scenarios", Title: "AgentV 5.3.1-next.1 list of scenarios", Type: schema.ListOf(scenarioType)},
	{Version: agentv.Head, Role: agentv.Providers, Name: "agentv-head-providers", Title: "AgentV 5.3.1-next.1 providers", Type: ProvidersFile},
	{Version: agentv.Head, Role: agentv.Config, Name: "agentv-head-config", Title: "AgentV 5.3.1-next.1 configuration", Type: HeadConfig},
}

// Files are the kinds of files of the newer versions, their eval files first.
func Files() []agentv.File { return slices.Clone(fileKinds) }

// FileForRole is the kind of file that a version has for a role. For a role that all
// versions share, or a version that is not known, it is the oldest version's.
func FileForRole(role agentv.Role, version agentv.Version) agentv.File {
	for _, f := range fileKinds {
		if f.Role == role && (f.Version == version || role == agentv.Providers || role == agentv.ScenarioList) {
			return f
		}
	}
	return agentv.FileForRole(role)
}
