declare module 'dynalite' {
  import type { Server } from 'node:http';
  export default function dynalite(options: { createTableMs?: number }): Server;
}
declare module 'aws-sdk-2022' {
  import AWS from 'aws-sdk';
  export default AWS;
}
