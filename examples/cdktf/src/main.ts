import { App } from '#cdk';
import { OrdersStack } from './orders-stack.ts';

const app = new App();
new OrdersStack(app, 'orders', { source: app.node.tryGetContext('idempotencySource') });
app.synth();
