type Attributes = Record<string, string | number>;

/**
 * An SVG element. What is in it are elements, or text that is `escaped`.
 *
 * @example
 * element('text', { x: 8, y: 20 }, escaped(title))
 */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Tenths of a pixel are finer than anyone sees. */
export const pixels = (length: number): number => Math.round(length * 10) / 10;
