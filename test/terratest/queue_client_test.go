package test

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/gruntwork-io/terratest/modules/random"
	"github.com/gruntwork-io/terratest/modules/retry"
	"github.com/stretchr/testify/require"
)

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

// sendToGroup sends to a FIFO queue, which would by itself drop a second message of the same deduplication id.
func (client queueClient) sendToGroup(url, body, group string) {
	_, err := client.sqs.SendMessage(client.Context(), &sqs.SendMessageInput{
		QueueUrl:               &url,
		MessageBody:            &body,
		MessageGroupId:         &group,
		MessageDeduplicationId: aws.String(random.UniqueId()),
	})
	require.NoError(client, err)
}

// effectsOf counts the side effects, once the duplicates are handled as well.
func (client queueClient) effectsOf(
	example example,
	expected map[string]int,
	nameOf func(require.TestingT, string) string,
) map[string]int {
	effects := map[string]int{}
	seen := map[string]bool{}
	collect := func() {
		for _, message := range client.receive(example.OutboxURL) {
			// SQS itself may hand out a message twice; that is no second effect.
			if !seen[*message.MessageId] {
				seen[*message.MessageId] = true
				effects[nameOf(client, *message.Body)]++
			}
		}
	}
	retry.DoWithRetry(client, "wait for each effect", 60, 2*time.Second, func() (string, error) {
		collect()
		if len(effects) < len(expected) {
			return "", fmt.Errorf("%d effects so far", len(effects))
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
