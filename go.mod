module github.com/rubric-ls/rubric

go 1.26
