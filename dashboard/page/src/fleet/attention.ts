// What in the fleet needs attention: tainted and unhealthy devices, nodes and pools that are not usable, devices that are
// held or being attached.
import type { NodeRow, PoolRow } from '../lib/contract.ts';
import { clockDuration } from '../lib/format.ts';
import type { FleetModel } from '../lib/model.ts';
import { named } from '../lib/model.ts';
import { unitName } from './shapes.ts';
import { CATEGORIES, categoryOf, describeState } from './states.ts';
import { holderText } from './words.ts';

export interface Finding {
  /** Word of the category, for the picture beside it. */
  letter: string;
  title: string;
  note: string;
  row: NodeRow | PoolRow;
  pool: boolean;
  position: number;
}

export interface FindingGroup {
  title: string;
  findings: Finding[];
}

const GROUPS: readonly (readonly [string, string])[] = [
  ['tainted', 'Tainted or unhealthy'],
  ['usetainted', 'In use and tainted'],
  ['attaching', 'Being attached'],
  ['held', 'Held for a gang or pod'],
];

export function findingsOf(model: FleetModel): FindingGroup[] {
  const groups = new Map<string, Finding[]>(GROUPS.map(([word]) => [word, []]));
  const nodes: Finding[] = [];
  for (const [rows, pool] of [[model.nodes, false], [model.pools, true]] as const) {
    for (const row of rows.values()) {
      collectDevices(model, row, pool, groups);
      nodes.push(...nodeFindings(row, pool));
    }
  }
  const result = GROUPS.map(([word, title]) => ({ title, findings: merged(groups.get(word)!) }));
  return [{ title: 'Nodes and pools', findings: nodes }, ...result].filter((group) => group.findings.length > 0);
}

function collectDevices(
  model: FleetModel,
  row: NodeRow | PoolRow,
  pool: boolean,
  groups: Map<string, Finding[]>,
): void {
  const shape = model.shapeOf(row);
  for (let position = 0; position < row.state.length; position++) {
    const letter = row.state[position]!;
    const into = groups.get(CATEGORIES[categoryOf(letter)]!.word);
    const device = shape.devices[position];
    if (into && device) {
      const taint = (row.taints ?? []).find(([at]) => at === position);
      const health = (row.health ?? []).find(([at]) => at === position);
      const attach = (row.attach ?? []).find(([at]) => at === position);
      const holder = model.holdersOf(row, position)[0];
      const note =
        health?.[1] ??
        (taint ? `${taint[2]}:${taint[1]}` : undefined) ??
        (attach ? `${clockDuration(attach[2])} of ${clockDuration(attach[3])}` : undefined) ??
        (holder ? holderText(holder) : describeState(letter));
      // A taint on a GPU is on all its partitions: the GPU is listed once.
      const unit = shape.units?.[device.unit ?? -1];
      const name = unit ? unitName(unit, row) : named(device.name, row.name);
      into.push({ letter, title: `${name}, ${row.name}`, note, row, pool, position });
    }
  }
}

function merged(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, Finding>();
  findings.forEach((finding) => {
    if (!seen.has(finding.title)) {
      seen.set(finding.title, finding);
    }
  });
  return [...seen.values()];
}

function nodeFindings(row: NodeRow | PoolRow, pool: boolean): Finding[] {
  if (!('flags' in row || 'unusable' in row || 'ghosts' in row)) {
    return [];
  }
  const finding = (title: string, note: string): Finding => ({ letter: '-', title, note, row, pool, position: -1 });
  return [
    ...(row.flags ?? []).map((flag) => finding(row.name, flag === 'Unschedulable' ? 'cordoned' : flag)),
    ...(row.unusable ?? []).map((each) => finding(`${each.driver}/${each.pool}`, each.reason)),
    ...(row.ghosts ?? []).map((ghost) => finding(`${ghost.device}, ${row.name}`, 'held, but not published')),
  ];
}
