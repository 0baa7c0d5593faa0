// Partitioned GPUs: cells in a row, partitions over the cells that they cover.
import type { UnitShape } from '../lib/contract.ts';
import type { Part } from './layout.ts';
import type { Prim, SceneInput } from './scene.ts';
import { devicePrims, FADED, letterOf, rect, text } from './scene.ts';
import { PLANNED } from './states.ts';

/** States in which a partition takes up its cells. */
const DRAWN = `#o~ha!EU${PLANNED}`;

/** A partition or a free cell inside its GPU; x and w in cells. */
export interface CellRun {
  first: number;
  count: number;
  letter: string;
  /** Position of the partition, or -1 for a cell without one. */
  device: number;
  label: string;
}

/** What is drawn in a unit with cells: partitions that are not free, then cells that none of them covers. */
export function cellRuns(
  unit: UnitShape,
  cells: string,
  letterAt: (device: number) => string,
  profileAt: (device: number) => { profile: string; cells: readonly number[] },
): CellRun[] {
  const runs: CellRun[] = [];
  const covered = new Set<number>();
  for (const device of unit.parts ?? []) {
    const letter = letterAt(device);
    const { profile, cells: own } = profileAt(device);
    // A taint on a whole GPU taints all placements; without a holder the cells show it.
    if (own.length > 0 && DRAWN.includes(letter)) {
      runs.push({ first: Math.min(...own), count: own.length, letter, device, label: profile });
      own.forEach((cell) => covered.add(cell));
    }
  }
  for (let cell = 0; cell < cells.length; cell++) {
    if (!covered.has(cell)) {
      runs.push({ first: cell, count: 1, letter: cells[cell]!, device: -1, label: '' });
    }
  }
  return runs.sort((a, b) => a.first - b.first);
}

/** Label of a partition: its profile where it has room, else the part before the dot. */
export function profileLabel(profile: string, width: number): string {
  if (profile.length * 6 <= width - 4) {
    return profile;
  }
  const short = profile.split('.')[0] ?? '';
  return short.length * 6 <= width - 2 ? short : '';
}

export function unitPrims(input: SceneInput, part: Part): Prim[] {
  const unit = input.shape.units![part.unit]!;
  const [share, cells] = input.row.units?.[part.unit] ?? [0, ''];
  const frame = unit.frame >= 0 ? letterOf(input, unit.frame) : '.';
  const percent = `${Math.round(share * 100)}%`;
  // The root's label has the percentage when the unit is alone in its root.
  const wide = part.w > 86 && part.h >= 16 && input.layout.roots[part.root]?.unit !== part.unit;
  const prims: Prim[] = [];
  const lead = wide ? 27 : 0;
  if (wide) {
    prims.push(text(part.x + 24, part.y + part.h / 2 + 3.5, percent, { anchor: 'end' }));
  }
  const box = { x: part.x + lead, y: part.y, w: part.w - lead, h: part.h, radius: 2 };
  if (frame !== '.' && frame !== '%') {
    return [...prims, ...devicePrims(box, frame, input.color(unit.frame), part.label)];
  }
  if (cells.length === 0) {
    return [...prims, ...sharePrims(input, unit, box)];
  }
  const cw = box.w / cells.length;
  const runs = cellRuns(unit, cells, (device) => letterOf(input, device), profilesOf(input));
  for (const run of runs) {
    const cell = { x: box.x + run.first * cw, y: box.y, w: run.count * cw - 1, h: box.h, radius: 1.5 };
    const color = run.device >= 0 ? input.color(run.device) : '';
    const drawn = devicePrims(cell, run.letter, color, profileLabel(run.label, cell.w));
    prims.push(...(matches(input, unit, run) ? drawn : drawn.map((prim) => ({ ...prim, alpha: FADED }))));
  }
  return prims;
}

/** Whether a partition, or a partition that could take a cell, matches the filter. */
function matches(input: SceneInput, unit: UnitShape, run: CellRun): boolean {
  const { match } = input;
  if (match === undefined || (unit.frame >= 0 && match[unit.frame] === 1)) {
    return true;
  }
  if (run.device >= 0) {
    return match[run.device] === 1;
  }
  const covers = (device: number): boolean => input.shape.devices[device]!.cells?.includes(run.first) ?? false;
  return (unit.parts ?? []).some(
    (device) => match[device] === 1 && covers(device) && input.row.state[device] === run.letter,
  );
}

export function profilesOf(input: Pick<SceneInput, 'shape'>) {
  return (device: number): { profile: string; cells: readonly number[] } => {
    const shape = input.shape.devices[device];
    return { profile: shape?.profile ?? '', cells: shape?.cells ?? [] };
  };
}

/** Without numbered counters a partition is as wide as its largest share. */
function sharePrims(
  input: SceneInput,
  unit: UnitShape,
  box: { x: number; y: number; w: number; h: number; radius: number },
): Prim[] {
  const blocked = (unit.parts ?? []).every((device) => letterOf(input, device) !== '.');
  const prims: Prim[] = devicePrims(box, blocked ? '%' : '.', '', '');
  let x = box.x;
  for (const device of unit.parts ?? []) {
    const letter = letterOf(input, device);
    if (letter !== '.' && letter !== '%') {
      const shape = input.shape.devices[device]!;
      const w = Math.min(box.x + box.w - x, Math.max(3, box.w * (shape.share ?? 1)));
      const label = profileLabel(shape.profile ?? '', w);
      prims.push(...devicePrims({ ...box, x, w: w - 1 }, letter, input.color(device), label));
      x += w;
    }
  }
  prims.push(rect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1, 2, 'none', 'free-b'));
  return prims;
}
