// Resolves `/opt/…`, required or imported, into the extracted layers of an emulated function. As in Lambda, which unpacks
// the layers over one another, the last layer that has the file wins.
// https://docs.aws.amazon.com/lambda/latest/dg/chapter-layers.html
const { existsSync } = require('node:fs');
const { registerHooks } = require('node:module');
const { delimiter, join } = require('node:path');
const { pathToFileURL } = require('node:url');

const layers = (process.env._LAMBDA_LAYERS_DIRS ?? '').split(delimiter).filter(Boolean).reverse();

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!specifier.startsWith('/opt/')) return nextResolve(specifier, context);
    const path = layers.map((layer) => join(layer, specifier.slice('/opt'.length))).find(existsSync);
    if (path === undefined) return nextResolve(specifier, context);
    return nextResolve(context.conditions.includes('import') ? pathToFileURL(path).href : path, context);
  },
});
