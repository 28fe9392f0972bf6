//go:build !small

package rules

import _ "github.com/rubric-ls/rubric/core/lint/rules/promptfoo" // promptfoo's configurations
