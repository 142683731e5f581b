/**
 * Pictures as binary PPM, the one format that needs no library: JPEG and its like are decoded by native ones, which would
 * be most of this example.
 *
 * @see https://netpbm.sourceforge.net/doc/ppm.html
 */
export interface Picture {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  pixels: Uint8Array;
}

const HEADER = /^P6\s+(\d+)\s+(\d+)\s+255\s/;
const LONGEST_HEADER = 64;

/** @throws Error for what is no PPM of 8 bits a colour. */
export function decodePicture(file: Uint8Array): Picture {
  const start = Buffer.from(file.subarray(0, LONGEST_HEADER)).toString('latin1');
  const [header, width, height] = HEADER.exec(start) ?? [];
  if (header === undefined) throw new Error('The object is no binary PPM of 8 bits and without comments.');
  const picture = { width: Number(width), height: Number(height), pixels: file.subarray(header.length) };
  const wanted = picture.width * picture.height * 3;
  if (wanted === 0 || picture.pixels.length !== wanted) {
    throw new Error(
      `The picture has ${picture.pixels.length} bytes of pixels, but its header says ${wanted}.`,
    );
  }
  return picture;
}

export function encodePicture({ width, height, pixels }: Picture): Uint8Array {
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`, 'latin1'), pixels]);
}
