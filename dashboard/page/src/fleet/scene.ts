// A node at detail L as a list of primitives. The SVG in the page, the canvas at detail M and the exported file draw
// the same list.
import type { Holder, NodeRow, PoolRow, Shape } from '../lib/contract.ts';
import type { Part, RootBox, TileLayout } from './layout.ts';
import { TILE_WIDTH } from './layout.ts';
import { barsPrims, coresText, levelPrims } from './scene-shared.ts';
import { unitName } from './shapes.ts';
import { unitPrims } from './scene-units.ts';
import type { Paint } from './states.ts';
import { lookOf, PLANNED } from './states.ts';
import { clipped, describeDevice, taintedCount, textWidth, useOf, useText } from './words.ts';

export interface RectPrim {
  t: 'rect';
  x: number;
  y: number;
  w: number;
  h: number;
  r: number;
  fill: Paint;
  stroke: Paint;
  sw: number;
  dash: string;
}

export interface PathPrim {
  t: 'path';
  d: string;
  fill: Paint;
  stroke: Paint;
  sw: number;
  dash: string;
}

export interface TextPrim {
  t: 'text';
  x: number;
  y: number;
  text: string;
  size: number;
  fill: Paint;
  anchor: 'start' | 'middle' | 'end';
  weight: 400 | 600;
  mono: boolean;
  /** Colour of a halo behind the text, or ''. */
  halo: Paint;
}

/** `alpha` is set only for parts of a unit that do not match the filter. */
export type Prim = (RectPrim | PathPrim | TextPrim) & { alpha?: number };

/** Opacity of what does not match the filter. */
export const FADED = 0.2;

/** Primitives of one part, which is picked as a whole. */
export interface Mark {
  position: number;
  unit: number;
  title: string;
  faded: boolean;
  prims: Prim[];
}

export interface Scene {
  back: Prim[];
  marks: Mark[];
}

/** What a scene is made from. */
export interface SceneInput {
  shape: Shape;
  layout: TileLayout;
  row: NodeRow | PoolRow;
  header: boolean;
  name: string;
  times: number;
  planned: ReadonlySet<number> | undefined;
  ringed: ReadonlySet<number> | undefined;
  changed: ReadonlySet<number> | undefined;
  match: Uint8Array | undefined;
  selected: { position: number; unit: number } | undefined;
  color: (position: number) => string;
  holders: (position: number) => Holder[];
}

export function rect(
  x: number,
  y: number,
  w: number,
  h: number,
  r: number,
  fill: Paint,
  stroke: Paint = 'none',
  sw = 1,
  dash = '',
): RectPrim {
  return { t: 'rect', x, y, w: Math.max(0, w), h: Math.max(0, h), r, fill, stroke, sw, dash };
}

export function path(d: string, fill: Paint, stroke: Paint = 'none', sw = 1, dash = ''): PathPrim {
  return { t: 'path', d, fill, stroke, sw, dash };
}

export function text(x: number, y: number, value: string, more: Partial<TextPrim> = {}): TextPrim {
  return {
    t: 'text',
    x,
    y,
    text: value,
    size: 10,
    fill: 'ink-3',
    anchor: 'start',
    weight: 400,
    mono: false,
    halo: '',
    ...more,
  };
}

export function sceneOf(input: SceneInput): Scene {
  const back = input.header ? headerPrims(input) : [];
  input.layout.numa.forEach((box, i) => {
    back.push(rect(box.x, box.y, box.w, box.h, 4, 'sunk'));
    if (box.label !== '') {
      back.push(text(box.x + 5, box.y + 11, box.label));
    }
    const cores = coresText(input, i);
    if (cores !== '') {
      back.push(text(box.x + box.w - 4, box.y + 11, cores, { anchor: 'end' }));
    }
  });
  input.layout.roots.forEach((root) => back.push(...rootPrims(input, root)));
  const marks = input.layout.parts.map((part) => markOf(input, part));
  return { back, marks };
}

/** Letter that is drawn for a device: planned devices are drawn as planned. */
export function letterOf(input: SceneInput, position: number): string {
  return input.planned?.has(position) ? PLANNED : (input.row.state[position] ?? '_');
}

function rootPrims(input: SceneInput, root: RootBox): Prim[] {
  const box = rect(root.x, root.y, root.w, root.h, 3, 'surface');
  if (root.label === '') {
    return [box];
  }
  const middle = root.y + root.h / 2 + 3.5;
  if (root.unit < 0) {
    return [box, text(root.x + 3, middle, root.label, { mono: true })];
  }
  const share = `${Math.round((input.row.units?.[root.unit]?.[0] ?? 0) * 100)}%`;
  return [box, text(root.x + 3, middle - 6, root.label, { mono: true }), text(root.x + 3, middle + 7, share)];
}

interface Warning {
  text: string;
  bad: boolean;
}

/** The pill beside the name: what is wrong with the node, else the number of equal nodes. */
function warningOf(input: SceneInput): Warning | undefined {
  const { row, shape } = input;
  const flags = 'flags' in row ? (row.flags ?? []) : [];
  if (flags.includes('NotReady')) {
    return { text: 'not ready', bad: true };
  }
  if (flags.includes('NoExecute')) {
    return { text: 'NoExecute', bad: true };
  }
  if ('unusable' in row && (row.unusable?.length ?? 0) > 0) {
    return { text: 'pool incomplete', bad: true };
  }
  const tainted = taintedCount(shape, row);
  if (tainted > 0) {
    return { text: `${tainted} tainted`, bad: true };
  }
  if (flags.includes('Unschedulable')) {
    return { text: 'cordoned', bad: false };
  }
  return input.times > 1 ? { text: `×${input.times} equal`, bad: false } : undefined;
}

function headerPrims(input: SceneInput): Prim[] {
  const use = useText(useOf(input.shape, input.row), input.times);
  const warning = warningOf(input);
  const useWidth = textWidth(use, 12);
  const pillWidth = warning ? textWidth(warning.text, 11) + 17 : 0;
  const room = TILE_WIDTH - 16 - useWidth - pillWidth - (warning ? 14 : 8);
  const name = clipped(input.name, 12.5, Math.max(40, room));
  const prims: Prim[] = [
    text(8, 17, name, { size: 12, fill: 'ink', weight: 600 }),
    text(TILE_WIDTH - 8, 17, use, { size: 12, fill: 'ink-2', anchor: 'end' }),
  ];
  if (warning) {
    const x = 8 + textWidth(name, 12.5) + 6;
    prims.push(rect(x, 4, pillWidth, 18, 9, warning.bad ? 'bad-bg' : 'sunk'));
    const fill = warning.bad ? 'taint' : 'ink-2';
    const middle = x + pillWidth / 2;
    prims.push(text(middle, 17, warning.text, { size: 11, fill, weight: 600, anchor: 'middle' }));
  }
  return prims;
}

function markOf(input: SceneInput, part: Part): Mark {
  const position = part.devices[0] ?? -1;
  const prims = primsOf(input, part);
  const chosen = input.selected;
  const isSelected =
    chosen !== undefined &&
    (chosen.unit >= 0 ? chosen.unit === part.unit : part.devices.includes(chosen.position));
  if (isSelected) {
    prims.push(ring(part, 1.8, ''));
  } else if (some(input.ringed, part)) {
    prims.push(ring(part, 1.6, ''));
  } else if (some(input.changed, part)) {
    prims.push(ring(part, 1.6, ''));
  }
  const faded = input.match !== undefined && !part.devices.some((device) => input.match![device] === 1);
  return { position, unit: part.unit, title: titleOf(input, part, position), faded, prims };
}

function some(set: ReadonlySet<number> | undefined, part: Part): boolean {
  return set !== undefined && part.devices.some((device) => set.has(device));
}

function titleOf(input: SceneInput, part: Part, position: number): string {
  const unit = input.shape.units?.[part.unit];
  if (unit) {
    const share = Math.round((input.row.units?.[part.unit]?.[0] ?? 0) * 100);
    const used = part.devices.filter((device) => input.holders(device).length > 0).length;
    return `${unitName(unit, input.row)}, ${input.row.name}, ${share} % gone, ${used} partitions in use`;
  }
  if (part.kind === 'bundle') {
    return `${part.label} devices, ${input.row.name}`;
  }
  return describeDevice(input.shape, input.row, position, input.holders(position), letterOf(input, position));
}

function ring(part: Part, width: number, dash: string): Prim {
  return rect(part.x - 2, part.y - 2, part.w + 4, part.h + 4, part.radius + 2, 'none', 'ink', width, dash);
}

function primsOf(input: SceneInput, part: Part): Prim[] {
  switch (part.kind) {
    case 'unit':
      return unitPrims(input, part);
    case 'level':
      return levelPrims(input, part);
    case 'bars':
    case 'cores':
      return barsPrims(input, part);
    case 'bundle':
      return bundlePrims(input, part);
    default:
      return devicePrims(part, letterOf(input, part.devices[0]!), input.color(part.devices[0]!), part.label);
  }
}

/** One device as a box with its state. */
export function devicePrims(
  box: { x: number; y: number; w: number; h: number; radius: number },
  letter: string,
  color: string,
  label: string,
): Prim[] {
  const look = lookOf(letter, color);
  const { x, y, w, h } = box;
  const half = look.strokeWidth / 2;
  const r = Math.min(box.radius, w / 2);
  const inner = [w - look.strokeWidth, h - look.strokeWidth] as const;
  const prims: Prim[] = [
    rect(x + half, y + half, inner[0], inner[1], r, look.fill, look.stroke, look.strokeWidth, look.dash),
  ];
  if (look.mark === 'cross') {
    const i = Math.min(4, w / 4, h / 4);
    const d = `M${x + i} ${y + i}L${x + w - i} ${y + h - i}M${x + w - i} ${y + i}L${x + i} ${y + h - i}`;
    prims.push(path(d, 'none', 'taint', 1.6));
  }
  if (look.mark === 'notch') {
    const n = Math.min(11, w * 0.6, h * 0.6);
    prims.push(path(`M${x + w - n} ${y}H${x + w}V${y + n}Z`, 'taint', 'surface', 1));
  }
  if (letter === '~') {
    prims.push(rect(x, y, w / 2, h, r, color === '' ? 'use' : color));
  }
  const shown = look.mark === 'question' ? '?' : look.ink === '' ? '' : label;
  if (shown !== '' && h >= 10 && textWidth(shown, 10) <= w - 1) {
    const fill = look.ink === '' ? 'ink-3' : look.ink;
    const halo = letter === 'h' ? 'held' : '';
    prims.push(text(x + w / 2, y + h / 2 + 3.5, shown, { fill, weight: 600, anchor: 'middle', halo }));
  }
  return prims;
}

/** Many equal devices: one box, split by state in the order of the legend. */
function bundlePrims(input: SceneInput, part: Part): Prim[] {
  const counts = new Map<string, number>();
  for (const device of part.devices) {
    const letter = letterOf(input, device);
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  const order = [...counts].sort((a, b) => '#oE!U~haxXu%-_P.'.indexOf(a[0]) - '#oE!U~haxXu%-_P.'.indexOf(b[0]));
  const prims: Prim[] = [];
  const h = Math.max(4, part.h - 11);
  let x = part.x;
  for (const [letter, count] of order) {
    const w = (part.w * count) / part.devices.length;
    const color = input.color(part.devices.find((device) => letterOf(input, device) === letter)!);
    prims.push(...devicePrims({ x, y: part.y, w, h, radius: 1.5 }, letter, color, ''));
    x += w;
  }
  prims.push(text(part.x, part.y + part.h - 1, part.label, {}));
  return prims;
}
