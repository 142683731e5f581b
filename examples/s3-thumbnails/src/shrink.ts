import type { Picture } from './picture';

/** The picture with no side longer than that: each pixel is the average of those it stands for. Small ones stay as they are. */
export function shrink(picture: Picture, longestSide: number): Picture {
  const scale = Math.max(1, picture.width / longestSide, picture.height / longestSide);
  const width = Math.max(1, Math.floor(picture.width / scale));
  const height = Math.max(1, Math.floor(picture.height / scale));
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels.set(
        average(picture, area(x, width, picture.width), area(y, height, picture.height)),
        (y * width + x) * 3,
      );
    }
  }
  return { width, height, pixels };
}

type Area = [from: number, to: number];

/** What a row or column of the thumbnail stands for. */
const area = (position: number, of: number, original: number): Area => [
  Math.floor((position * original) / of),
  Math.floor(((position + 1) * original) / of),
];

function average({ width, pixels }: Picture, [left, right]: Area, [top, bottom]: Area): number[] {
  const sums: [number, number, number] = [0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      for (const colour of [0, 1, 2] as const) sums[colour] += pixels[(y * width + x) * 3 + colour] as number;
    }
  }
  return sums.map((sum) => Math.round(sum / ((right - left) * (bottom - top))));
}
