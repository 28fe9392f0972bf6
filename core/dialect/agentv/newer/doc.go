// Package newer reads whole eval files of the dialect's newer versions: `tests`
// instead of `evalcases`, `criteria` instead of `expected_outcome`, assertion
// lists instead of evaluators and, in the newest, prompts that are filled in
// with each test's variables.
//
// [Lower] does as the loader of a version does. It opens no file: tests,
// scenarios and prompts that stand in other files are losses, and so are
// prompts that programs write.
package newer
