// Lambda looks for a handler's file as .js, .mjs and .cjs. The emulator asks Node.js, which knows no .cjs by itself.
// https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/UserFunction.js
const { Module } = require('node:module');

Module._extensions['.cjs'] = Module._extensions['.js'];
