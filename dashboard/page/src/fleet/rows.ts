// PCIe roots as rows inside a NUMA box, and the devices in each row.
import type { Box, Item, Part, TileLayout } from './layout.ts';
import { part } from './layout.ts';

const GAP = 3;
const ROW_MAX = 36;
const ROW_GOOD = 26;
const ROW_MIN = 17;
const DEVICE_MAX = 28;
const LABEL_WIDTH = 22;
const NARROW_LABEL = 17;
const UNIT_LABEL = 32;
/** Boxes may become this much narrower than they should be. */
const SQUEEZE = 0.85;
/** More equal devices than this in one root are one box. */
const EQUAL_MAX = 8;
const SMALLEST = 5;

/** Natural width of a part; 0 = takes the space that is left. */
function widthOf(item: Item): number {
  switch (item.kind) {
    case 'unit':
    case 'level':
    case 'bars':
      return 0;
    case 'bundle':
      return 40;
    default:
      return item.type === 'g' || item.type === 'a' || item.type === 'f' ? 26 : item.type === 'n' ? 11 : 18;
  }
}

const ORDER = 'gafpndcmo';

interface Row {
  root: string;
  items: Item[];
}

/** Places items by root: rows, several side by side when the roots are small or many. */
export function placeRoots(layout: TileLayout, items: Item[], inner: Box, numa: number): void {
  const rows = rowsOf(items);
  const labels = shortRoots(rows.map((row) => row.root));
  const flat = rows.length === 1 && rows[0]!.root === '';
  const columns = flat ? 1 : columnsOf(rows, inner);
  const lines = Math.ceil(rows.length / columns);
  const h = flat ? inner.h : Math.min(rowLimit(rows), (inner.h - GAP * (lines - 1)) / lines);
  const w = (inner.w - GAP * (columns - 1)) / columns;
  rows.forEach((row, i) => {
    const x = inner.x + (i % columns) * (w + GAP);
    const y = inner.y + Math.floor(i / columns) * (h + GAP);
    const index = layout.roots.length;
    const label = labels[i]!;
    const units = row.items.filter((item) => item.kind === 'unit');
    const unit = columns === 1 && label !== '' && units.length === 1 && h >= 28 ? units[0]!.unit : -1;
    layout.roots.push({ x, y, w, h, label, full: row.root, numa, unit });
    const named = unit >= 0 ? UNIT_LABEL : columns > 1 ? NARROW_LABEL : LABEL_WIDTH;
    const lead = label === '' ? 4 : named;
    placeRow(layout, row.items, { x: x + lead, y: y + 3, w: w - lead - 2, h: h - 6 }, numa, index, flat);
  });
}

function rowsOf(items: Item[]): Row[] {
  const rows = new Map<string, Item[]>();
  for (const item of items) {
    const row = rows.get(item.root);
    if (row) {
      row.push(item);
    } else {
      rows.set(item.root, [item]);
    }
  }
  return [...rows].map(([root, all]) => ({ root, items: bundled(all) }));
}

/** Equal devices as one box `×64` when there are too many, then GPUs before NICs before others. */
function bundled(items: Item[], most = EQUAL_MAX): Item[] {
  const byType = new Map<string, Item[]>();
  for (const item of items) {
    const key = `${item.kind} ${item.type}`;
    byType.set(key, [...(byType.get(key) ?? []), item]);
  }
  const result = [...byType.values()].flatMap((equal) =>
    equal.length <= most ? equal : [bundleOf(equal)],
  );
  return result.sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
}

function bundleOf(items: Item[]): Item {
  const devices = items.flatMap((item) => item.devices);
  return { ...items[0]!, kind: 'bundle', unit: -1, devices, label: `×${items.length}` };
}

function rowLimit(rows: Row[]): number {
  return rows.every((row) => row.items.every((item) => item.kind !== 'level')) ? ROW_MAX + 6 : 90;
}

/** The fewest columns with which rows are high enough; roots with one GPU stand at least two to a row. */
function columnsOf(rows: Row[], inner: Box): number {
  const heightOf = (columns: number): number => {
    const lines = Math.ceil(rows.length / columns);
    return (inner.h - GAP * (lines - 1)) / lines;
  };
  const widest = Math.max(...rows.map((row) => natural(row.items)));
  const fits = (columns: number): boolean =>
    SQUEEZE * widest <= (inner.w + GAP) / columns - GAP - NARROW_LABEL;
  const choices = [1, 2, 3, 4, 5, 6, 7, 8];
  const first = rows.length > 1 && fits(2) ? 1 : 0;
  const fitting = choices.slice(first).filter(fits);
  return (
    fitting.find((columns) => heightOf(columns) >= ROW_GOOD) ??
    fitting.find((columns) => heightOf(columns) >= ROW_MIN) ??
    choices.find((columns) => heightOf(columns) >= ROW_MIN) ??
    8
  );
}

function natural(items: Item[]): number {
  return items.reduce((sum, item) => sum + (widthOf(item) || 80) + GAP, -GAP);
}

/** Last two digits of each root, or of its domain when these are all equal (`pci0008:00`). */
export function shortRoots(roots: string[]): string[] {
  const ends = roots.map((root) => root.slice(-2));
  if (new Set(ends).size === roots.length) {
    return ends;
  }
  const domains = roots.map((root) => root.replace(/:[^:]*$/, '').slice(-2));
  return new Set(domains).size > new Set(ends).size ? domains : ends;
}

function placeRow(
  layout: TileLayout,
  items: Item[],
  box: Box,
  numa: number,
  root: number,
  flat: boolean,
): void {
  const smallest = items.length * (SMALLEST + GAP) - GAP;
  if (smallest > box.w && !flat) {
    placeRow(layout, bundled(items, 1), box, numa, root, true);
    return;
  }
  const elastic = items.filter((item) => widthOf(item) === 0).length;
  const fixed = items.reduce((sum, item) => sum + widthOf(item), 0);
  const gaps = GAP * (items.length - 1);
  const room = box.w - gaps;
  if (flat && items.length > 6) {
    placeGrid(layout, items, box, numa, root);
    return;
  }
  const scale = elastic > 0 ? Math.min(1, (room * 0.5) / Math.max(1, fixed)) : Math.min(1, room / fixed);
  const each = elastic > 0 ? (room - fixed * scale) / elastic : 0;
  let x = box.x;
  for (const item of items) {
    const w = widthOf(item) === 0 ? each : Math.max(SMALLEST, widthOf(item) * scale);
    layout.parts.push(boxed(item, { x, y: box.y, w, h: box.h }, numa, root));
    x += w + GAP;
  }
}

/** A device is at most 28 high, centred in its row; units and levels fill the row. */
function boxed(item: Item, box: Box, numa: number, root: number): Part {
  const limit = item.kind === 'device' || item.kind === 'bundle' ? DEVICE_MAX : box.h;
  const h = Math.max(SMALLEST, Math.min(limit, box.h));
  return part(item, { ...box, y: box.y + (box.h - h) / 2, h }, numa, root);
}

/** Many devices without NUMA node and root: as many lines as are needed. */
function placeGrid(layout: TileLayout, items: Item[], box: Box, numa: number, root: number): void {
  const elastic = items.some((item) => widthOf(item) === 0);
  const columns = elastic ? Math.min(4, items.length) : Math.min(8, items.length);
  const lines = Math.ceil(items.length / columns);
  const w = (box.w - GAP * (columns - 1)) / columns;
  const h = (box.h - GAP * (lines - 1)) / lines;
  items.forEach((item, i) => {
    const x = box.x + (i % columns) * (w + GAP);
    const y = box.y + Math.floor(i / columns) * (h + GAP);
    const own = Math.min(w, widthOf(item) || w);
    layout.parts.push(boxed(item, { x, y, w: own, h: Math.max(SMALLEST, h) }, numa, root));
  });
}
