package test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAChargeAndARefundThatArriveTwiceAreMadeOnce(t *testing.T) {
	t.Parallel()
	example := apply(t, "complete", map[string]any{"name": uniqueName()})
	shop := newQueueClient(t)
	expected := map[string]int{"charge 1042": 1, "refund 1042": 1}
	body := `{"id": "1042"}`

	shop.send(example.Queues["charges"].URL, body)
	shop.sendToGroup(example.Queues["refunds"].URL, body, "1042")
	shop.send(example.Queues["charges"].URL, body)
	shop.sendToGroup(example.Queues["refunds"].URL, body, "1042")

	effects := shop.effectsOf(example, expected, effectOf)

	assert.Equal(t, expected, effects, "side effects")
	for key, queue := range example.Queues {
		assert.Zero(t, shop.depth(queue.DLQURL), "messages in the dead-letter queue of %s", key)
	}
}

func effectOf(t require.TestingT, body string) string {
	var effect struct{ What, Of string }
	require.NoError(t, json.Unmarshal([]byte(body), &effect))
	return fmt.Sprint(effect.What, " ", effect.Of)
}
