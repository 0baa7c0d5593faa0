// The filter of the fleet: words match names, `class:` `ns:` `pod:` `gang:` `state:` `node:` `rack:` match one property,
// and anything with `device.` is CEL, which the server evaluates.
import type { Group, Holder, NodeRow, PoolRow, Shape } from '../lib/contract.ts';
import { lettersOf } from './states.ts';

export interface Filter {
  terms: Term[];
  /** CEL expression, or ''. */
  cel: string;
}

export interface Term {
  key: string;
  value: string;
}

export const KEYS = ['class', 'ns', 'pod', 'gang', 'state', 'node', 'rack'] as const;

const TERM = /^(class|ns|pod|gang|state|node|rack):(?:"([^"]*)"|(\S*))(?:\s+|$)/i;

export function parseFilter(query: string): Filter {
  const terms: Term[] = [];
  let rest = query.trim();
  for (let match = TERM.exec(rest); match; match = TERM.exec(rest)) {
    terms.push({ key: match[1]!.toLowerCase(), value: (match[2] ?? match[3] ?? '').toLowerCase() });
    rest = rest.slice(match[0].length);
  }
  if (rest.includes('device.')) {
    return { terms, cel: rest };
  }
  for (const word of rest.split(/\s+/).filter(Boolean)) {
    const match = TERM.exec(word);
    const value = match ? (match[2] ?? match[3] ?? '') : word;
    terms.push({ key: match ? match[1]!.toLowerCase() : '', value: value.toLowerCase() });
  }
  return { terms: terms.filter((term) => term.value !== ''), cel: '' };
}

export function isEmpty(filter: Filter): boolean {
  return filter.terms.length === 0 && filter.cel === '';
}

/** A term as it is typed; values with spaces are quoted. */
export function termText(key: string, value: string): string {
  return `${key}:${/\s/.test(value) ? `"${value}"` : value}`;
}

/** The query with a term added, or removed when it is there. */
export function toggleTerm(query: string, key: string, value: string): string {
  const wanted = termText(key, value);
  const parts: string[] = query.match(/[a-z]+:"[^"]*"|\S+/gi) ?? [];
  if (parts.includes(wanted)) {
    return parts.filter((part) => part !== wanted).join(' ');
  }
  // One value per key: a second class or state replaces the first.
  const others = parts.filter((part) => !part.startsWith(`${key}:`));
  return [wanted, ...others].join(' ');
}

export interface FilterData {
  shapes: ReadonlyMap<number, Shape>;
  groups: ReadonlyMap<number, Group>;
  holders: ReadonlyMap<number, Holder>;
}

/** Positions that match CEL, as the server answered: pairs first, count by id. */
export type CelMatch = ReadonlyMap<number, readonly number[]>;

/**
 * The devices of a row that match all terms: 1 by position, or undefined when all do. An empty row matches by its names
 * only.
 */
export function matchRow(
  filter: Filter,
  data: FilterData,
  row: NodeRow | PoolRow,
  cel: CelMatch | undefined,
): Uint8Array | undefined {
  const shape = data.shapes.get(row.shape);
  const length = Math.max(1, shape?.devices.length ?? 0);
  let result: Uint8Array | undefined;
  for (const term of filter.terms) {
    const matched = matchTerm(term, data, row, shape, length);
    result = matched === undefined ? result : result === undefined ? matched : both(result, matched);
  }
  if (cel) {
    const matched = new Uint8Array(length);
    const pairs = cel.get(row.id) ?? [];
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      matched.fill(1, pairs[i]!, pairs[i]! + pairs[i + 1]!);
    }
    result = result === undefined ? matched : both(result, matched);
  }
  return result;
}

function both(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((value, i) => value & b[i]!);
}

/** Undefined when the whole row matches. */
function matchTerm(
  term: Term,
  data: FilterData,
  row: NodeRow | PoolRow,
  shape: Shape | undefined,
  length: number,
): Uint8Array | undefined {
  const { key, value } = term;
  if ((key === '' || key === 'node') && row.name.toLowerCase().includes(value)) {
    return undefined;
  }
  if (key === '' || key === 'rack') {
    const groups = (row.groups ?? []).flatMap((id) => data.groups.get(id)?.name.toLowerCase() ?? []);
    if (groups.some((name) => (key === 'rack' ? name === value || name.endsWith(value) : name.includes(value)))) {
      return undefined;
    }
  }
  const matched = new Uint8Array(length);
  if (key === '' || key === 'class') {
    markDevices(matched, shape, key, value);
  }
  if (key === '' || key === 'ns' || key === 'pod' || key === 'gang') {
    markHolders(matched, data, row, key, value);
  }
  if (key === 'state') {
    const letters = lettersOf(value);
    for (let i = 0; i < length; i++) {
      const letter = row.state[i];
      matched[i] = letter !== undefined && letters.includes(letter) ? 1 : 0;
    }
    if (letters.includes('?') && 'ghosts' in row && (row.ghosts?.length ?? 0) > 0) {
      matched.fill(1);
    }
  }
  return matched;
}

function markDevices(matched: Uint8Array, shape: Shape | undefined, key: string, value: string): void {
  shape?.devices.forEach((device, i) => {
    const texts =
      key === 'class'
        ? (device.classes ?? [])
        : [device.name, device.driver, device.product ?? '', device.profile ?? '', ...(device.classes ?? [])];
    if (texts.some((each) => (key === 'class' ? each.toLowerCase() === value : each.toLowerCase().includes(value)))) {
      matched[i] = 1;
    }
  });
  // Half-typed class names match by their beginning.
  if (key === 'class' && !matched.includes(1)) {
    shape?.devices.forEach((device, i) => {
      if ((device.classes ?? []).some((each) => each.toLowerCase().startsWith(value))) {
        matched[i] = 1;
      }
    });
  }
}

function markHolders(
  matched: Uint8Array,
  data: FilterData,
  row: NodeRow | PoolRow,
  key: string,
  value: string,
): void {
  const holds = row.holds ?? [];
  for (let i = 0; i + 2 < holds.length; i += 3) {
    const holder = data.holders.get(holds[i + 2]!);
    if (holder && matchHolder(holder, key, value)) {
      matched.fill(1, holds[i]!, holds[i]! + holds[i + 1]!);
    }
  }
}

function matchHolder(holder: Holder, key: string, value: string): boolean {
  const pods = (holder.pods ?? []).map((pod) => pod.toLowerCase());
  const namespace = holder.namespace.toLowerCase();
  switch (key) {
    case 'ns':
      return namespace === value;
    case 'pod':
      return pods.some((pod) => pod.includes(value) || `${namespace}/${pod}` === value);
    case 'gang':
      return (holder.gang ?? '') !== '' && `${namespace}/${holder.gang}`.toLowerCase().includes(value);
    default:
      return [holder.claim, holder.gang ?? '', holder.owner ?? '', holder.namespace, ...pods].some((each) =>
        each.toLowerCase().includes(value),
      );
  }
}

/** Number of devices that match; all of a row without result. */
export function countMatches(matched: Uint8Array | undefined, all: number): number {
  return matched === undefined ? all : matched.reduce((sum, each) => sum + each, 0);
}
