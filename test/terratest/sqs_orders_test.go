package test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnOrderThatArrivesTwiceIsConfirmedOnce(t *testing.T) {
	t.Parallel()
	name := uniqueName()
	// The timeouts are short, since a duplicate that overlaps comes back after six times as long.
	example := apply(t, "sqs-orders", map[string]any{
		"name":              name,
		"function_timeouts": map[string]any{"retail": 5, "wholesale": 5},
	})
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

	effects := orders.effectsOf(example, expected, orderOf)

	assert.Equal(t, expected, effects, "side effects by order")
	for channel, queue := range example.Queues {
		assert.Zero(t, orders.depth(queue.DLQURL), "messages in the dead-letter queue of %s", channel)
	}
}

func orderOf(t require.TestingT, body string) string {
	var effect struct{ Order string }
	require.NoError(t, json.Unmarshal([]byte(body), &effect))
	return effect.Order
}
