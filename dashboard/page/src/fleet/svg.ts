// SVG elements from primitives: for tiles in the page, which follow changes mark by mark, and for exported files.
import { paintAttribute, svgElement } from './patterns.ts';
import type { Mark, Prim, Scene } from './scene.ts';
import { FADED } from './scene.ts';

/** The value of an attribute for a colour token or a pattern. */
export type Resolve = (token: string) => string;

type Attributes = Record<string, string | number>;

/** One primitive as an element; attributes that have their default value are left out. */
export function primElement(prim: Prim, resolve: Resolve): SVGElement {
  const element = plainElement(prim, resolve);
  if (prim.alpha !== undefined) {
    element.setAttribute('opacity', `${prim.alpha}`);
  }
  return element;
}

function plainElement(prim: Prim, resolve: Resolve): SVGElement {
  if (prim.t === 'text') {
    return textElement(prim, resolve);
  }
  const paint: Attributes = { fill: resolve(prim.fill) };
  if (prim.stroke !== 'none') {
    paint['stroke'] = resolve(prim.stroke);
    if (prim.sw !== 1) {
      paint['stroke-width'] = prim.sw;
    }
    if (prim.dash !== '') {
      paint['stroke-dasharray'] = prim.dash;
    }
  }
  return prim.t === 'path'
    ? svgElement('path', { d: prim.d, ...paint })
    : svgElement('rect', { x: prim.x, y: prim.y, width: prim.w, height: prim.h, rx: prim.r, ...paint });
}

function textElement(prim: Prim & { t: 'text' }, resolve: Resolve): SVGElement {
  const attributes: Attributes = { x: prim.x, y: prim.y, 'font-size': prim.size };
  if (prim.weight !== 400) {
    attributes['font-weight'] = prim.weight;
  }
  if (prim.anchor !== 'start') {
    attributes['text-anchor'] = prim.anchor;
  }
  const element = svgElement('text', attributes, prim.text);
  // Style properties, since rules of the page for all SVG texts are stronger than attributes.
  element.style.setProperty('fill', resolve(prim.fill));
  if (prim.mono) {
    element.style.setProperty('font-family', resolve('mono'));
  }
  if (prim.halo !== '') {
    element.style.setProperty('stroke', resolve(prim.halo));
    element.style.setProperty('stroke-width', '4px');
    element.style.setProperty('stroke-linejoin', 'round');
    element.style.setProperty('paint-order', 'stroke');
  }
  return element;
}

/** Replaces the children of an element by primitives. Used as an attachment of `<g>` and `<svg>`. */
export function drawPrims(prims: readonly Prim[]): (element: SVGElement) => void {
  return (element) => element.replaceChildren(...prims.map((prim) => primElement(prim, paintAttribute)));
}

function markElement(mark: Mark): SVGElement {
  const children = mark.prims.map((prim) => primElement(prim, paintAttribute));
  const title = svgElement('title', {}, mark.title);
  return svgElement('g', mark.faded ? { opacity: FADED } : {}, title, ...children);
}

/** Keeps an SVG element equal to a scene; a mark that did not change keeps its element. */
export class SceneElement {
  readonly #parent: SVGElement;
  #back = '';
  readonly #ground = svgElement('g', {});
  #marks: { text: string; element: SVGElement }[] = [];

  constructor(parent: SVGElement) {
    this.#parent = parent;
    parent.append(this.#ground);
  }

  show(scene: Scene): void {
    const back = JSON.stringify(scene.back);
    if (back !== this.#back) {
      this.#back = back;
      drawPrims(scene.back)(this.#ground);
    }
    while (this.#marks.length > scene.marks.length) {
      this.#marks.pop()!.element.remove();
    }
    scene.marks.forEach((mark, i) => {
      const text = JSON.stringify(mark);
      const known = this.#marks[i];
      if (known?.text !== text) {
        const element = markElement(mark);
        if (known) {
          known.element.replaceWith(element);
        } else {
          this.#parent.append(element);
        }
        this.#marks[i] = { text, element };
      }
    });
  }
}
