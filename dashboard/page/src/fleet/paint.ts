// Drawing of tiles at detail S and M on one canvas.
import type { Prim } from './scene.ts';
import { FADED } from './scene.ts';
import type { Rects, SmallPicture } from './small.ts';
import type { Paint } from './states.ts';

/** Colours of the page as the canvas needs them; read again when the theme changes. */
export class CanvasColors {
  readonly #style: CSSStyleDeclaration;
  readonly #known = new Map<string, string>();
  readonly #patterns = new Map<string, CanvasPattern>();

  constructor(element: Element) {
    this.#style = getComputedStyle(element);
  }

  color(token: string): string {
    let value = this.#known.get(token);
    if (value === undefined) {
      value = this.#style.getPropertyValue(`--${token}`).trim() || 'GrayText';
      this.#known.set(token, value);
    }
    return value;
  }

  paint(context: CanvasRenderingContext2D, paint: Paint): string | CanvasPattern {
    return paint.startsWith('#') ? this.#pattern(context, paint) : this.color(paint);
  }

  /** Bitmap of a pattern for a canvas that is scaled to a half. */
  #pattern(context: CanvasRenderingContext2D, paint: Paint): CanvasPattern {
    let pattern = this.#patterns.get(paint);
    if (!pattern) {
      const bitmap = document.createElement('canvas');
      bitmap.width = bitmap.height = 10;
      const into = bitmap.getContext('2d')!;
      const fill = (token: string, x: number, y: number, w: number, h: number): void => {
        into.fillStyle = this.color(token);
        into.fillRect(x, y, w, h);
      };
      if (paint === '#hatch') {
        fill('block', 0, 0, 10, 10);
        for (let i = 0; i < 10; i++) {
          fill('block-b', i, 9 - i, 2, 1);
        }
      } else if (paint === '#dots') {
        fill('held', 0, 0, 10, 10);
        fill('on-held', 1, 1, 3, 3);
        fill('on-held', 6, 6, 3, 3);
      } else {
        fill('surface', 0, 0, 10, 10);
        fill('attach', 0, 0, 5, 10);
      }
      pattern = context.createPattern(bitmap, 'repeat')!;
      this.#patterns.set(paint, pattern);
    }
    return pattern;
  }
}

/** Fills the boxes of small tiles: one colour after another, no strokes. */
export function paintSmall(
  context: CanvasRenderingContext2D,
  colors: CanvasColors,
  picture: SmallPicture,
  faded: boolean,
): void {
  context.globalAlpha = faded ? FADED : 1;
  for (const rects of [picture.ground, picture.outlines, picture.inner, picture.fills]) {
    fillAll(context, colors, rects);
  }
  context.globalAlpha = 1;
}

function fillAll(context: CanvasRenderingContext2D, colors: CanvasColors, rects: Rects): void {
  for (const [token, list] of rects) {
    context.fillStyle = colors.color(token);
    for (let i = 0; i < list.length; i += 4) {
      context.fillRect(list[i]!, list[i + 1]!, list[i + 2]!, list[i + 3]!);
    }
  }
}

/** Draws one primitive; the context may be scaled. */
export function paintPrim(context: CanvasRenderingContext2D, colors: CanvasColors, prim: Prim): void {
  if (prim.t === 'text') {
    const family = colors.color(prim.mono ? 'mono' : 'sans');
    context.font = `${prim.weight} ${prim.size}px ${family}`;
    context.textAlign = prim.anchor === 'middle' ? 'center' : prim.anchor;
    context.fillStyle = colors.color(prim.fill);
    context.fillText(prim.text, prim.x, prim.y);
    return;
  }
  const stroked = prim.stroke !== 'none';
  if (stroked) {
    context.strokeStyle = colors.color(prim.stroke);
    context.lineWidth = prim.sw * 1.5;
    context.setLineDash(prim.dash === '' ? [] : prim.dash.split(' ').map((each) => Number(each) * 1.5));
  }
  if (prim.t === 'path') {
    const path = new Path2D(prim.d);
    if (prim.fill !== 'none') {
      context.fillStyle = colors.paint(context, prim.fill);
      context.fill(path);
    }
    if (stroked) {
      context.stroke(path);
    }
    return;
  }
  if (prim.fill !== 'none') {
    context.fillStyle = colors.paint(context, prim.fill);
    context.fillRect(prim.x, prim.y, prim.w, prim.h);
  }
  if (stroked && prim.stroke !== prim.fill) {
    context.strokeRect(prim.x, prim.y, prim.w, prim.h);
  }
}
