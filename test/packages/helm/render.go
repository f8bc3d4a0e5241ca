// Renders the templates of a chart with Go's own text/template and sprig, as Helm does: options missingkey=zero, every file by itself, and values that came
// through JSON. Reads what a release gives from standard input as JSON; writes the files of the templates, one after the other.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	var given map[string]interface{}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		fail(err)
	}
	files, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*.yaml"))
	if err != nil || len(files) == 0 {
		fail(fmt.Errorf("no templates in %s: %v", os.Args[1], err))
	}
	functions := sprig.TxtFuncMap()
	// Helm's own. JSON is YAML, on one line.
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			fail(err)
		}
		made, err := template.New(filepath.Base(file)).Option("missingkey=zero").Funcs(functions).Parse(string(text))
		if err != nil {
			fail(err)
		}
		var out strings.Builder
		if err := made.Execute(&out, given); err != nil {
			fail(err)
		}
		fmt.Println("---")
		fmt.Print(out.String())
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
