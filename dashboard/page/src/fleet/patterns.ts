// Fill patterns of states, the second channel beside colour: once per document for SVG, as bitmaps for the canvas.
import type { Paint } from './states.ts';

const SVG = 'http://www.w3.org/2000/svg';
const PREFIX = 'berth-';

type Attributes = Record<string, string | number>;

/** An SVG element; names and texts are attributes and text nodes only. */
export function svgElement(tag: string, attributes: Attributes, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** Presentation attribute of a paint: `var(--use)`, `url(#berth-hatch)` or `none`. */
export function paintAttribute(paint: Paint): string {
  if (paint === 'none') {
    return paint;
  }
  return paint.startsWith('#') ? `url(#${PREFIX}${paint.slice(1)})` : `var(--${paint})`;
}

type Resolve = (token: string) => string;

/** Definitions of the patterns; `resolve` gives the colour of a token. */
export function patternDefs(resolve: Resolve): SVGElement {
  const box = (size: number, token: string) =>
    svgElement('rect', { width: size, height: size, fill: resolve(token) });
  const pattern = (name: string, size: number, more: Attributes, ...children: Node[]) =>
    svgElement(
      'pattern',
      { id: PREFIX + name, width: size, height: size, patternUnits: 'userSpaceOnUse', ...more },
      ...children,
    );
  const dot = (at: number) => svgElement('circle', { cx: at, cy: at, r: 0.8, fill: resolve('on-held') });
  const stripe = (width: number, token: string) =>
    svgElement('rect', { width, height: 5, fill: resolve(token) });
  return svgElement(
    'defs',
    {},
    pattern('hatch', 5, { patternTransform: 'rotate(45)' }, box(5, 'block'), stripe(1.4, 'block-b')),
    pattern('dots', 6, {}, box(6, 'held'), dot(1.5), dot(4.5)),
    pattern('stripes', 5, {}, box(5, 'surface'), stripe(2.4, 'attach')),
  );
}

/** Puts the patterns into the document, once. */
export function ensurePatterns(): void {
  if (document.getElementById(`${PREFIX}hatch`) === null) {
    const holder = svgElement('svg', { width: 0, height: 0, 'aria-hidden': 'true', class: 'hidden' });
    holder.append(patternDefs((token) => `var(--${token})`));
    document.body.append(holder);
  }
}
