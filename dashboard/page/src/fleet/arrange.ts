// Places of frames and tiles on the stage: rows of frames, tiles inside. A pure function of frames, sizes and width.
import type { Frame } from './frames.ts';
import { TILE_HEIGHT, TILE_WIDTH } from './layout.ts';

export type Detail = 'S' | 'M' | 'L';

interface Size {
  w: number;
  h: number;
  gap: number;
  pad: number;
  head: number;
}

export const SIZES: Readonly<Record<Detail, Size>> = {
  S: { w: 31, h: 18, gap: 2, pad: 5, head: 17 },
  M: { w: 132, h: 76, gap: 4, pad: 6, head: 23 },
  L: { w: TILE_WIDTH, h: TILE_HEIGHT, gap: 8, pad: 7, head: 25 },
};

/** Key of the frame for nodes that came after the places were computed. */
export const NEW_FRAME = 'new';
export const POOL_WIDTH = 244;
const FRAME_GAP = 10;
const SECTION_HEAD = 18;
const SMALL_COLUMNS = 8;
const FRAME_MIN = 150;
/** Frames share a row when the higher one is at most this much higher. */
const HEIGHT_RATIO = 1.4;
const S_ABOVE = 150;
const M_ABOVE = 40;
const NARROW = 700;
/** A frame with more tiles is folded to the next smaller detail at first. */
const FOLD_ABOVE = 20;

export interface PlacedTile {
  key: string;
  /** Ids of the nodes that the tile stands for, or of one pool. */
  ids: number[];
  pool: boolean;
  frame: number;
  detail: Detail;
  x: number;
  y: number;
  w: number;
  h: number;
  /** Row and column in the grid of tiles, for the keyboard. */
  row: number;
  column: number;
}

export interface PlacedFrame {
  key: string;
  title: string;
  level: string;
  ids: number[];
  pool: boolean;
  detail: Detail;
  x: number;
  y: number;
  w: number;
  h: number;
  sections: { title: string; x: number; y: number; w: number; h: number }[];
}

export interface Arrangement {
  frames: PlacedFrame[];
  tiles: PlacedTile[];
  height: number;
  rows: number;
  columns: number;
}

export interface ArrangeOptions {
  width: number;
  detail: Detail;
  /** Frames whose fold the user changed: true = one detail smaller. */
  folds: ReadonlyMap<string, boolean>;
  pools: readonly { id: number; name: string }[];
}

/** Detail that suits a number of tiles; L needs a stage of some width (0 = not known yet). */
export function detailFor(tiles: number, width: number): Detail {
  const narrow = width > 0 && width < NARROW;
  return tiles > S_ABOVE ? 'S' : tiles > M_ABOVE || narrow ? 'M' : 'L';
}

export function isFolded(frame: { key: string; tiles: number }, options: ArrangeOptions): boolean {
  return options.folds.get(frame.key) ?? (options.detail === 'L' && frame.tiles > FOLD_ABOVE);
}

export function smaller(detail: Detail): Detail {
  return detail === 'L' ? 'M' : 'S';
}

interface Draft {
  frame: PlacedFrame;
  tiles: PlacedTile[];
}

export function arrange(frames: readonly Frame[], options: ArrangeOptions): Arrangement {
  const drafts = [
    ...frames.map((frame, i) => draftOf(frame, i, options)),
    ...options.pools.map((pool, i) => poolDraft(pool, frames.length + i)),
  ].sort((a, b) => Number(a.frame.key === NEW_FRAME) - Number(b.frame.key === NEW_FRAME));
  const height = flow(drafts, options.width);
  const tiles = drafts.flatMap((draft) => draft.tiles);
  const [rows, columns] = numberTiles(tiles);
  return { frames: drafts.map((draft) => draft.frame), tiles, height, rows, columns };
}

function poolDraft(pool: { id: number; name: string }, index: number): Draft {
  const size = SIZES.L;
  const tile = { key: `pool ${pool.id}`, ids: [pool.id], pool: true, frame: index, detail: 'L' as const };
  const w = POOL_WIDTH + 2 * size.pad;
  const h = size.head + size.h + size.pad;
  return {
    frame: {
      key: `pool ${pool.id}`,
      title: pool.name,
      level: 'pool',
      ids: [pool.id],
      pool: true,
      detail: 'L',
      x: 0,
      y: 0,
      w,
      h,
      sections: [],
    },
    tiles: [{ ...tile, x: size.pad, y: size.head, w: POOL_WIDTH, h: size.h, row: 0, column: 0 }],
  };
}

function draftOf(frame: Frame, index: number, options: ArrangeOptions): Draft {
  const count = frame.sections.reduce((sum, section) => sum + section.stacks.length, 0);
  const folded = isFolded({ key: frame.key, tiles: count }, options);
  const detail = folded ? smaller(options.detail) : options.detail;
  const size = SIZES[detail];
  const most = Math.max(1, Math.floor((options.width - 2 * size.pad + size.gap) / (size.w + size.gap)));
  const columns = columnsOf(frame, detail, most);
  const tiles: PlacedTile[] = [];
  const sections: PlacedFrame['sections'] = [];
  const inner = columns * (size.w + size.gap) - size.gap;
  const w = Math.max(Math.min(FRAME_MIN, options.width), inner + 2 * size.pad);
  let y = size.head;
  for (const section of frame.sections) {
    const top = y;
    y += section.title === '' ? 0 : SECTION_HEAD;
    section.stacks.forEach((stack, i) => {
      const x = size.pad + (i % columns) * (size.w + size.gap);
      const place = { x, y: y + Math.floor(i / columns) * (size.h + size.gap), w: size.w, h: size.h };
      const { key, ids } = stack;
      tiles.push({ key, ids, pool: false, frame: index, detail, ...place, row: 0, column: 0 });
    });
    const lines = Math.ceil(section.stacks.length / columns);
    y += lines * (size.h + size.gap);
    if (section.title !== '') {
      sections.push({ title: section.title, x: size.pad, y: top, w: inner, h: y - top });
    }
  }
  const { key, title, level, ids } = frame;
  const h = y - size.gap + size.pad;
  return { frame: { key, title, level, ids, pool: false, detail, x: 0, y: 0, w, h, sections }, tiles };
}

/** At S, frames are eight nodes wide, so that racks form a grid; a single frame takes the whole width. */
function columnsOf(frame: Frame, detail: Detail, most: number): number {
  const longest = Math.max(1, ...frame.sections.map((section) => section.stacks.length));
  if (detail !== 'S' || longest <= SMALL_COLUMNS) {
    return Math.min(longest, most);
  }
  const wide = longest > 64 ? most : SMALL_COLUMNS;
  return Math.min(wide, most, longest);
}

interface Line {
  drafts: Draft[];
  used: number;
  h: number;
}

/** Rows of frames: each goes to the first row with room whose height suits it, so that small frames share rows. */
function linesOf(drafts: readonly Draft[], width: number): Line[] {
  const lines: Line[] = [];
  for (const draft of drafts) {
    const { w, h } = draft.frame;
    // New nodes come last, where their frame moves nothing.
    const suits = (line: Line): boolean =>
      line.used + w <= width && h <= line.h * HEIGHT_RATIO && line.h <= h * HEIGHT_RATIO;
    const room = draft.frame.key === NEW_FRAME ? undefined : lines.find(suits);
    if (room) {
      room.drafts.push(draft);
      room.used += w + FRAME_GAP;
      room.h = Math.max(room.h, h);
    } else {
      lines.push({ drafts: [draft], used: w + FRAME_GAP, h });
    }
  }
  return lines;
}

/** Places the rows, stretches the frames of a row to the width, returns the height. */
function flow(drafts: readonly Draft[], width: number): number {
  let y = 0;
  let spread = Number.POSITIVE_INFINITY;
  const lines = linesOf(drafts, width);
  for (const line of lines) {
    const extra = Math.max(0, width - line.used + FRAME_GAP) / line.drafts.length;
    // The last row keeps the stretch of the row above, so that equal frames stay in columns.
    const last = line === lines.at(-1) || line.drafts[0]!.frame.key === NEW_FRAME;
    const stretch = last ? Math.min(extra, spread) : extra;
    spread = extra;
    let x = 0;
    for (const { frame, tiles } of line.drafts) {
      Object.assign(frame, { x, y, w: Math.floor(frame.w + stretch), h: line.h });
      tiles.forEach((tile) => Object.assign(tile, { x: tile.x + x, y: tile.y + y }));
      frame.sections.forEach((section) => Object.assign(section, { x: section.x + x, y: section.y + y }));
      x += frame.w + FRAME_GAP;
    }
    y += line.h + FRAME_GAP;
  }
  return Math.max(0, y - FRAME_GAP);
}

/** Numbers the tiles as a grid: one row per distinct top, columns from the left. */
function numberTiles(tiles: PlacedTile[]): [number, number] {
  tiles.sort((a, b) => a.y - b.y || a.x - b.x);
  let row = -1;
  let top = Number.NEGATIVE_INFINITY;
  let column = 0;
  let columns = 0;
  for (const tile of tiles) {
    if (tile.y > top) {
      top = tile.y;
      row++;
      column = 0;
    }
    tile.row = row;
    tile.column = column++;
    columns = Math.max(columns, column);
  }
  return [row + 1, columns];
}

/** Indices of the boxes that lie in a window; boxes are sorted by y. */
export function inWindow<T extends { y: number; h: number }>(boxes: readonly T[], from: number, to: number): T[] {
  return boxes.filter((box) => box.y < to && box.y + box.h > from);
}

/** The tile at a point, or undefined. */
export function tileAt(tiles: readonly PlacedTile[], x: number, y: number): PlacedTile | undefined {
  return tiles.find(
    (tile) => x >= tile.x && x < tile.x + tile.w + 1 && y >= tile.y && y < tile.y + tile.h + 1,
  );
}

/** The next tile in a direction: beside it, or the nearest one in the row above or below. */
export function neighbour(
  tiles: readonly PlacedTile[],
  from: PlacedTile,
  key: string,
): PlacedTile | undefined {
  const at = tiles.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return tiles[at + 1];
    case 'ArrowLeft':
      return tiles[at - 1];
    case 'Home':
      return tiles[0];
    case 'End':
      return tiles.at(-1);
    case 'ArrowDown':
    case 'ArrowUp': {
      const row = from.row + (key === 'ArrowDown' ? 1 : -1);
      const middle = from.x + from.w / 2;
      const distance = (tile: PlacedTile): number => Math.abs(tile.x + tile.w / 2 - middle);
      return tiles.filter((tile) => tile.row === row).sort((a, b) => distance(a) - distance(b))[0];
    }
    default:
      return undefined;
  }
}
