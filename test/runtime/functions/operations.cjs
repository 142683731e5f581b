/** What the tests ask of a function. `layer` is the layer as its handler imported it, `other` by the other module system. */
module.exports = (layer, other) => {
  let confirmations = 0;

  const operations = {
    async about() {
      const otherwise = await other();
      return {
        node: process.versions.node,
        path: require.resolve('/opt/nodejs'),
        names: Object.keys(layer).filter((name) => name !== 'default'),
        shared: Object.keys(layer).filter((name) => name !== 'default' && layer[name] === otherwise[name]),
      };
    },

    requireEsModule() {
      try {
        return { loaded: Object.keys(require('/opt/nodejs/index.mjs')) };
      } catch (error) {
        return { code: error.code };
      }
    },

    async confirm({ key }, context) {
      const result = await layer.runOnce(key, layer.lockSecondsFor(context), ({ attempt }) => {
        confirmations += 1;
        return { key, attempt, sent: new Date(0) };
      });
      return { result, sentIsDate: result.sent instanceof Date, confirmations };
    },

    /** The duplicate arrives while the first call is at work. */
    async overlap({ key }, context) {
      const lockSeconds = layer.lockSecondsFor(context);
      let runs = 0;
      let finish;
      const first = new Promise((working) => {
        finish = layer.runOnce(key, lockSeconds, async () => {
          runs += 1;
          await new Promise((release) => working(release));
          return 'first';
        });
      });
      const release = await first;
      const rejection = await layer.runOnce(key, lockSeconds, () => 'second').catch((error) => error);
      release();
      return {
        first: await finish,
        runs,
        rejection: {
          name: rejection.name,
          code: rejection.code,
          retryAfterSeconds: rejection.retryAfterSeconds,
          isStillInProgressError: rejection instanceof layer.StillInProgressError,
          isIdempotencyError: rejection instanceof layer.IdempotencyError,
          isLockLostError: rejection instanceof layer.LockLostError,
          isErrorOfTheOther: rejection instanceof (await other()).StillInProgressError,
        },
      };
    },

    decline({ key }, context) {
      class CardDeclined extends Error {
        name = 'CardDeclined';
      }
      return layer.runOnce(key, layer.lockSecondsFor(context), () => {
        throw new CardDeclined('insufficient funds');
      });
    },

    lock(_, context) {
      const before = context.getRemainingTimeInMillis();
      const lockSeconds = layer.lockSecondsFor(context);
      return { before, lockSeconds, after: context.getRemainingTimeInMillis() };
    },
  };

  return (event, context) => operations[event.operation](event, context);
};
