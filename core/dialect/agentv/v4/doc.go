// Package newer reads whole files of the dialect's newer versions: `tests`
// instead of `evalcases`, `criteria` instead of `expected_outcome`, assertion
// lists instead of evaluators and, in the newest, prompts that are filled in
// with each test's variables.
//
// A [Reader] does as the loader of a version does. It opens no file: what stands
// in others is asked of its Files, and is a loss where that is nil. Prompts and
// tests that programs write, tables, and several files under one name are losses
// in any case.
package v4
