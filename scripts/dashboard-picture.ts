/** `npm run dashboard-picture`: draws docs/dashboard.svg, the module's dashboard with made-up data. Needs Terraform. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardPicture } from './dashboard-picture/picture';

writeFileSync(join(import.meta.dirname, '../docs/dashboard.svg'), await dashboardPicture());
