// Command rubric checks, explains and runs rubric eval files.
package main

import (
	"os"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
