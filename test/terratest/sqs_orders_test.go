// Package test applies examples/sqs-orders and uses it from outside, by its outputs alone. Where AWS is, the
// environment says: AWS_ENDPOINT_URL leads to an emulator, and without it the default credentials to an account.
package test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/gruntwork-io/terratest/modules/logger"
	"github.com/gruntwork-io/terratest/modules/random"
	"github.com/gruntwork-io/terratest/modules/retry"
	"github.com/gruntwork-io/terratest/modules/terraform"
	"github.com/stretchr/testify/assert"
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

func TestAnOrderThatArrivesTwiceIsConfirmedOnce(t *testing.T) {
	name := "terratest-" + strings.ToLower(random.UniqueId())
	example := apply(t, name)
	orders := newQueueClient(t)

	expected := map[string]int{}
	for channel, queue := range example.Queues {
		id := name + "-" + channel
		expected[id] = 1
		body := fmt.Sprintf(`{"id": %q, "email": "ada@example.com"}`, id)
		orders.send(queue.URL, body)
		orders.send(queue.URL, body)
	}
	require.Len(t, expected, 2, "the example has a queue for each of its two functions")

	effects := orders.effectsOf(example, expected)

	assert.Equal(t, expected, effects, "side effects by order")
	for channel, queue := range example.Queues {
		assert.Zero(t, orders.depth(queue.DLQURL), "messages in the dead-letter queue of %s", channel)
	}
}

// A root module of the test's own, so that it shares no state with an example that somebody applied by hand. The
// timeouts are short, since a duplicate that overlaps comes back after six times as long.
const rootModule = `{
  "variable": { "name": { "type": "string" } },
  "module": {
    "example": {
      "source": "../../examples/sqs-orders",
      "name": "${var.name}",
      "function_timeouts": { "retail": 5, "wholesale": 5 }
    }
  },
  "output": { "example": { "value": "${module.example}" } }
}`

// apply applies the example, has it destroyed at the end of the test, and returns its outputs.
func apply(t *testing.T, name string) example {
	folder, err := filepath.Abs("../../.cache/terratest")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.tf.json"), []byte(rootModule), 0o644))

	// It outlives a test that is killed, so that what is left can be destroyed by hand.
	state := filepath.Join(folder, name+".tfstate")
	atState := []string{"-state=" + state}
	options := terraform.WithDefaultRetryableErrors(t, &terraform.Options{
		// Where it is not named, Terratest looks for Terraform, then for OpenTofu.
		TerraformBinary: os.Getenv("TF_BINARY"),
		TerraformDir:    folder,
		// The lock file of an earlier run may be of another provider.
		Upgrade:   true,
		Vars:      map[string]any{"name": name},
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

type queueClient struct {
	*testing.T
	sqs *sqs.Client
}

func newQueueClient(t *testing.T) queueClient {
	settings, err := config.LoadDefaultConfig(t.Context())
	require.NoError(t, err)
	return queueClient{t, sqs.NewFromConfig(settings)}
}

func (client queueClient) send(url, body string) {
	_, err := client.sqs.SendMessage(client.Context(), &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body})
	require.NoError(client, err)
}

// effectsOf counts the side effects by order, once the duplicates are handled as well.
func (client queueClient) effectsOf(example example, expected map[string]int) map[string]int {
	effects := map[string]int{}
	seen := map[string]bool{}
	collect := func() {
		for _, message := range client.receive(example.OutboxURL) {
			// SQS itself may hand out a message twice; that is no second effect.
			if !seen[*message.MessageId] {
				seen[*message.MessageId] = true
				effects[orderOf(client, message)]++
			}
		}
	}
	retry.DoWithRetry(client, "wait for an effect of each order", 60, 2*time.Second, func() (string, error) {
		collect()
		if len(effects) < len(expected) {
			return "", fmt.Errorf("effects of %d orders so far", len(effects))
		}
		return "", nil
	})

	// The counts are approximate and lag behind: the queues must look empty five times in a row.
	empty := 0
	retry.DoWithRetry(client, "wait until each delivery is handled", 150, 2*time.Second, func() (string, error) {
		empty++
		for channel, queue := range example.Queues {
			if depth := client.depth(queue.URL); depth > 0 {
				empty = 0
				return "", fmt.Errorf("%d messages in the queue %s", depth, channel)
			}
		}
		if empty < 5 {
			return "", fmt.Errorf("empty, %d times in a row", empty)
		}
		return "", nil
	})
	collect()
	return effects
}

func orderOf(t require.TestingT, message types.Message) string {
	var effect struct{ Order string }
	require.NoError(t, json.Unmarshal([]byte(*message.Body), &effect))
	return effect.Order
}

// receive takes what is in a queue. It asks until nothing comes, waiting so long that SQS looks everywhere.
func (client queueClient) receive(url string) []types.Message {
	var messages []types.Message
	for {
		received, err := client.sqs.ReceiveMessage(client.Context(), &sqs.ReceiveMessageInput{
			QueueUrl:            &url,
			MaxNumberOfMessages: 10,
			WaitTimeSeconds:     2,
		})
		require.NoError(client, err)
		if len(received.Messages) == 0 {
			return messages
		}
		for _, message := range received.Messages {
			_, err := client.sqs.DeleteMessage(client.Context(), &sqs.DeleteMessageInput{
				QueueUrl:      &url,
				ReceiptHandle: message.ReceiptHandle,
			})
			require.NoError(client, err)
		}
		messages = append(messages, received.Messages...)
	}
}

// depth is the number of messages that are waiting, in the hands of a consumer, or to come back for a retry.
func (client queueClient) depth(url string) int {
	asked := []types.QueueAttributeName{
		types.QueueAttributeNameApproximateNumberOfMessages,
		types.QueueAttributeNameApproximateNumberOfMessagesNotVisible,
	}
	output, err := client.sqs.GetQueueAttributes(client.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl:       aws.String(url),
		AttributeNames: asked,
	})
	require.NoError(client, err)
	sum := 0
	for _, name := range asked {
		var count int
		_, err := fmt.Sscan(output.Attributes[string(name)], &count)
		require.NoError(client, err)
		sum += count
	}
	return sum
}
