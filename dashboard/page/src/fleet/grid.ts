// Keyboard inside a tile: NUMA boxes, PCIe roots and devices as three levels of boxes.
import type { Box, TileLayout } from './layout.ts';

export type GridLevel = 'tile' | 'numa' | 'root' | 'part';

/** Levels that a layout has, outermost first. */
export function levelsOf(layout: TileLayout): GridLevel[] {
  const levels: GridLevel[] = ['tile'];
  if (layout.numa.some((box) => box.label !== '')) {
    levels.push('numa');
  }
  if (layout.roots.some((box) => box.label !== '')) {
    levels.push('root');
  }
  if (layout.parts.length > 0) {
    levels.push('part');
  }
  return levels;
}

export function boxesAt(layout: TileLayout, level: GridLevel): readonly Box[] {
  switch (level) {
    case 'numa':
      return layout.numa;
    case 'root':
      return layout.roots;
    case 'part':
      return layout.parts;
    case 'tile':
      return [];
  }
}

function isInside(inner: Box, outer: Box): boolean {
  const x = inner.x + inner.w / 2;
  const y = inner.y + inner.h / 2;
  return x >= outer.x && x <= outer.x + outer.w && y >= outer.y && y <= outer.y + outer.h;
}

/** The first box of the next level inside a box; undefined at the innermost level. */
export function enter(
  layout: TileLayout,
  level: GridLevel,
  index: number,
): { level: GridLevel; index: number } | undefined {
  const levels = levelsOf(layout);
  const outer = boxesAt(layout, level)[index];
  for (const next of levels.slice(levels.indexOf(level) + 1)) {
    const found = boxesAt(layout, next).findIndex((box) => outer === undefined || isInside(box, outer));
    if (found >= 0) {
      return { level: next, index: found };
    }
  }
  return undefined;
}

/** The box around a box on the level above. */
export function leave(
  layout: TileLayout,
  level: GridLevel,
  index: number,
): { level: GridLevel; index: number } {
  const levels = levelsOf(layout);
  const inner = boxesAt(layout, level)[index];
  for (const above of levels.slice(0, levels.indexOf(level)).reverse()) {
    const found = boxesAt(layout, above).findIndex((box) => inner !== undefined && isInside(inner, box));
    if (found >= 0) {
      return { level: above, index: found };
    }
  }
  return { level: 'tile', index: 0 };
}

/** Index of the nearest box in a direction, or the same index. */
export function move(boxes: readonly Box[], index: number, key: string): number {
  const from = boxes[index];
  if (!from) {
    return index;
  }
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const sign = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1;
  const centre = (box: Box) => [box.x + box.w / 2, box.y + box.h / 2] as const;
  const [x, y] = centre(from);
  let best = index;
  let bestCost = Number.POSITIVE_INFINITY;
  boxes.forEach((box, i) => {
    const [bx, by] = centre(box);
    const along = sign * (sideways ? bx - x : by - y);
    const across = Math.abs(sideways ? by - y : bx - x);
    // Boxes beside the line of movement cost more than distant ones on it.
    if (i !== index && along > 0.5 && along + 4 * across < bestCost) {
      best = i;
      bestCost = along + 4 * across;
    }
  });
  return best;
}
