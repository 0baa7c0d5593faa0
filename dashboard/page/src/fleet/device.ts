// Answers about one device (`device`, `timeline/device`) and the device that stands for a selection.
import type { Holder } from '../lib/contract.ts';
import type { FleetModel } from '../lib/model.ts';
import { named } from '../lib/model.ts';
import type { Selected } from './selection.ts';

export interface DeviceBody {
  driver: string;
  pool: string;
  device: string;
  slice?: string;
  attributes?: { name: string; type: string; value: string | number | boolean }[];
  capacity?: { name: string; total: string; left: string }[];
  counters?: { set: string; name: string; total: string; left: string; uses?: string }[];
  profiles?: { profile: string; available: number; shortOf?: string }[];
  taints?: { key: string; value?: string; effect: string; since?: string; rule?: string }[];
}

export interface TimelineBody {
  from: string;
  to: string;
  holders?: { namespace?: string; claim?: string; pods?: string[]; from: string; to?: string; hidden?: boolean }[];
  taints?: { key: string; value?: string; effect: string; from: string; to?: string }[];
}

export interface DeviceKey {
  driver: string;
  pool: string;
  device: string;
}

/** The device to ask the server about: of a unit its whole device, else its first partition. */
export function deviceKey(model: FleetModel, selected: Selected): DeviceKey | undefined {
  const shape = model.shapeOf(selected.row);
  const unit = shape.units?.[selected.unit];
  const position = selected.position >= 0 ? selected.position : unit ? unitDevice(unit) : -1;
  const device = shape.devices[position];
  const { name } = selected.row;
  return device && { driver: device.driver, pool: named(device.pool, name), device: named(device.name, name) };
}

function unitDevice(unit: { frame: number; parts?: number[] }): number {
  return unit.frame >= 0 ? unit.frame : (unit.parts?.[0] ?? -1);
}

/** One line of "In use by": what is held, and by which holder. */
export interface HolderLine {
  what: string;
  cells: string;
  holder: Holder;
}

/** Holders of the selection; of a unit those of each of its partitions. */
export function holderLines(model: FleetModel, selected: Selected): HolderLine[] {
  const shape = model.shapeOf(selected.row);
  const unit = selected.position < 0 ? shape.units?.[selected.unit] : undefined;
  const wanted = unit ? [...(unit.frame >= 0 ? [unit.frame] : []), ...(unit.parts ?? [])] : [selected.position];
  const all = selected.position < 0 && !unit ? shape.devices.map((_, i) => i) : wanted;
  return all.flatMap((position) => {
    const device = shape.devices[position];
    const what = unit ? (device?.profile ?? device?.name ?? '') : (device && named(device.name, selected.row.name)) || '';
    return model.holdersOf(selected.row, position).map((holder) => ({ what, cells: range(device?.cells ?? []), holder }));
  });
}

/** `0–3` of the cells 0, 1, 2, 3. */
export function range(cells: readonly number[]): string {
  if (cells.length === 0) {
    return '';
  }
  const first = Math.min(...cells);
  const last = Math.max(...cells);
  return first === last ? `${first}` : `${first}–${last}`;
}

export interface Meter {
  name: string;
  used: number;
  total: number;
  text: string;
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** Value of a Kubernetes quantity; NaN when it is none. */
export function quantity(text: string): number {
  const match = /^([+-]?[0-9.]+(?:[eE][+-]?\d+)?)([A-Za-z]*)$/.exec(text);
  return match ? Number(match[1]) * (UNITS[match[2]!] ?? Number.NaN) : Number.NaN;
}

/** Counters as meters, the shortest first; counters that differ only in a number and have the value 1 are one. */
export function meters(counters: readonly { name: string; total: string; left: string }[]): Meter[] {
  const merged = new Map<string, { used: number; total: number; unit: string }>();
  for (const counter of counters) {
    const total = quantity(counter.total);
    const numbered = total === 1 && /\d+$/.test(counter.name);
    const name = numbered ? `${counter.name.replace(/[-_]?\d+$/, '')}s` : counter.name;
    const known = merged.get(name) ?? { used: 0, total: 0, unit: '' };
    const unit = /[KMGTP]i?$/.exec(counter.total)?.[0] ?? byteUnit(total);
    const used = known.used + total - quantity(counter.left);
    merged.set(name, { used, total: known.total + total, unit });
  }
  return [...merged]
    .filter(([, value]) => value.total > 0)
    .map(([name, { used, total, unit }]) => {
      const scale = UNITS[unit] ?? 1;
      const big = unit.endsWith('i') && total / scale > 4096;
      const shown = (value: number): string => round(big ? value / scale / 1024 : value / scale);
      const suffix = big ? (unit === 'Mi' ? ' Gi' : unit === 'Ki' ? ' Mi' : ' Ti') : unit === '' ? '' : ` ${unit}`;
      return { name: name.replaceAll('-', ' '), used, total, text: `${shown(used)} of ${shown(total)}${suffix}` };
    })
    .sort((a, b) => b.used / b.total - a.used / a.total);
}

/** Unit of a large plain number: binary when it is a multiple of a mebibyte, as memory is. */
function byteUnit(total: number): string {
  return total < 1e7 ? '' : total % 2 ** 20 === 0 ? 'Mi' : 'M';
}

/** Partition profiles that do not fit, by the counter that they lack. */
export function shortBy(profiles: readonly { profile: string; shortOf?: string }[]): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const { profile, shortOf } of profiles) {
    const counter = (shortOf ?? '').replace(/^.*\//, '').replaceAll('-', ' ');
    groups.set(counter, [...(groups.get(counter) ?? []), profile]);
  }
  return [...groups];
}

function round(value: number): string {
  return Number.isInteger(value) ? `${value}` : value.toFixed(1);
}
