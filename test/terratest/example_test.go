// Package test applies the examples and uses them from outside, by their outputs alone. Where AWS is, the environment
// says: AWS_ENDPOINT_URL leads to an emulator, and without it the default credentials to an account.
package test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gruntwork-io/terratest/modules/logger"
	"github.com/gruntwork-io/terratest/modules/random"
	"github.com/gruntwork-io/terratest/modules/terraform"
	"github.com/stretchr/testify/require"
)

type queue struct {
	URL    string `json:"url"`
	DLQURL string `json:"dlq_url"`
}

type example struct {
	OutboxURL string           `json:"outbox_url"`
	Queues    map[string]queue `json:"queues"`
}

func uniqueName() string {
	return "terratest-" + strings.ToLower(random.UniqueId())
}

// apply applies an example, has it destroyed at the end of the test, and returns its outputs. It does so from a root
// module of its own, so that it shares no state with an example that somebody applied by hand.
func apply(t *testing.T, name string, arguments map[string]any) example {
	folder, err := filepath.Abs("../../.cache/terratest/" + name)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	arguments["source"] = "../../../examples/" + name
	rootModule, err := json.Marshal(map[string]any{
		"module": map[string]any{"example": arguments},
		"output": map[string]any{"example": map[string]any{"value": "${module.example}"}},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.tf.json"), rootModule, 0o644))

	// It outlives a test that is killed, so that what is left can be destroyed by hand.
	state := filepath.Join(folder, fmt.Sprint(arguments["name"], ".tfstate"))
	atState := []string{"-state=" + state}
	options := terraform.WithDefaultRetryableErrors(t, &terraform.Options{
		// Where it is not named, Terratest looks for Terraform, then for OpenTofu.
		TerraformBinary: os.Getenv("TF_BINARY"),
		TerraformDir:    folder,
		// The lock file of an earlier run may be of another provider.
		Upgrade:   true,
		ExtraArgs: terraform.ExtraArgs{Apply: atState, Destroy: atState, Output: atState},
		NoColor:   true,
		// A command that fails tells all that it printed.
		Logger: logger.Discard,
	})
	t.Cleanup(func() {
		t.Log("destroying", name)
		terraform.Destroy(t, options)
		_ = os.Remove(state)
		_ = os.Remove(state + ".backup")
	})
	t.Log("applying", name)
	terraform.InitAndApply(t, options)

	var outputs example
	terraform.OutputStruct(t, options, "example", &outputs)
	return outputs
}
