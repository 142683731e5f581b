const layer = require('/opt/nodejs');
const operations = require('./operations.cjs');

exports.handler = operations(layer, () => import('/opt/nodejs/index.mjs'));
