// A function's process: calls `runOnce` of the built layer for each delivery, and says what came of it. It may be
// killed at any moment.
//   EFFECTS_LOG   file of the plain effects, one line each
//   COUNTS_TABLE  table of the committed effects: `count` of each key
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runOnce } from '../../dist/nodejs/index.mjs';

const { EFFECTS_LOG, COUNTS_TABLE } = process.env;
const effects = openSync(EFFECTS_LOG, 'a');

const work = {
  /** Whole in the file with one system call, whatever becomes of this process and whichever others write to it. */
  plain(run, id) {
    // What is about to lose its lock must not begin.
    run.signal.throwIfAborted();
    writeSync(effects, `${JSON.stringify({ key: run.key, by: id })}\n`);
  },
  commit(run) {
    run.commit({
      Update: {
        TableName: COUNTS_TABLE,
        Key: { pk: run.key },
        UpdateExpression: 'ADD #count :one',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':one': 1 },
      },
    });
  },
};

process.on('message', async ({ id, key, effect, lockSeconds, millisecondsBefore, millisecondsAfter }) => {
  let ran = false;
  try {
    const answer = await runOnce(key, lockSeconds, async (run) => {
      ran = true;
      await sleep(millisecondsBefore);
      work[effect](run, id);
      await sleep(millisecondsAfter);
      // Tells which delivery ran it: two runs of a key would have distinct answers.
      return id;
    });
    process.send({ id, ran, answer });
  } catch (error) {
    process.send({ id, ran, error: error.code ?? error.message });
  }
});

process.on('disconnect', () => process.exit());
