package api

import "github.com/rubric-ls/rubric/core/assist"

// Capabilities are what an editor has to know of the answers before it asks.
type Capabilities struct {
	CompletionTriggers []string `json:"completionTriggers"` // characters
	EnterTrigger       string   `json:"enterTrigger"`       // what `enter` is asked after
	ActionKinds        []string `json:"actionKinds"`
	TokenTypes         []string `json:"tokenTypes"`
	TokenModifiers     []string `json:"tokenModifiers"`
}

func capabilities(struct{}) (Capabilities, error) {
	return Capabilities{
		CompletionTriggers: assist.CompletionTriggers[:], EnterTrigger: "\n",
		ActionKinds: []string{assist.QuickFix, assist.SourceFixAll, assist.SourceMigrate, assist.RefactorRewrite, assist.RefactorExtract, assist.Suppress},
		TokenTypes:  assist.TokenTypes[:], TokenModifiers: assist.TokenModifiers[:],
	}, nil
}
