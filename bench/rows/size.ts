import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { exactly, type Line, type Row } from '../measure';

/** The same limits as test/artifact/layer-zip.test.ts has. */
export const size: Row = async () => {
  const zip = readFileSync(join(import.meta.dirname, '../../dist/layer.zip'));
  const unzipped = Object.values(unzipSync(zip)).reduce((sum, file) => sum + file.byteLength, 0);
  return [line('layer, zipped', zip.byteLength, 80), line('layer, unzipped', unzipped, 250)];
};

function line(figure: string, bytes: number, limit: number): Line {
  const kilobytes = bytes / 1024;
  return {
    figure,
    unit: 'KB',
    ours: exactly(kilobytes),
    target: `≤ ${limit} KB`,
    result: `${kilobytes.toFixed(1)} KB`,
    met: kilobytes <= limit,
  };
}
