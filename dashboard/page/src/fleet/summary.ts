// Numbers in the head of a frame: nodes, use of the main kind, largest gang.
import type { Holder, NodeRow, PoolRow } from '../lib/contract.ts';
import type { FleetModel } from '../lib/model.ts';
import type { PlacedFrame } from './arrange.ts';
import { profileOf } from './frames.ts';
import { isUsed } from './states.ts';
import { grouped, KIND_ORDER, kindWord, useOf } from './words.ts';

export interface FrameSummary {
  /** "4 nodes, 8 GPUs NVIDIA H100". */
  what: string;
  /** "21 of 32 GPUs in use, 16 by gang pretrain/llama". */
  use: string;
  /** "21/32". */
  short: string;
}

const GANG_SHARE = 0.25;
const PARTS_MAX = 3;

export function frameSummary(
  model: FleetModel,
  frame: PlacedFrame,
  node: (id: number) => NodeRow | undefined,
): FrameSummary {
  return frame.pool ? poolSummary(model, frame) : nodesSummary(model, frame, node);
}

function poolSummary(model: FleetModel, frame: PlacedFrame): FrameSummary {
  const row = model.pools.get(frame.ids[0]!);
  if (!row) {
    return { what: '', use: '', short: '' };
  }
  const { used, total, kind } = useOf(model.shapeOf(row), row);
  const reach = row.all === true ? 'all nodes reach it' : `${grouped(row.reach?.length ?? 0)} nodes reach it`;
  return { what: `${total} ${kindWord(kind, total)}`, use: reach, short: `${used}/${total}` };
}

function nodesSummary(
  model: FleetModel,
  frame: PlacedFrame,
  node: (id: number) => NodeRow | undefined,
): FrameSummary {
  const rows = frame.ids.flatMap((id) => node(id) ?? []);
  const shapes = new Set(rows.map((row) => row.shape));
  const first = rows[0];
  const nodes = `${grouped(rows.length)} ${rows.length === 1 ? 'node' : 'nodes'}`;
  const each = shapes.size === 1 && first ? `, ${profileOf(model.shapes.get(first.shape))}` : '';
  const kinds = new Map<string, { used: number; total: number; share: number; units: number; amount: string }>();
  for (const row of rows) {
    const use = useOf(model.shapeOf(row), row);
    const sum = kinds.get(use.kind) ?? { used: 0, total: 0, share: 0, units: 0, amount: '' };
    if (use.amount !== '') {
      sum.amount = sum.amount === '' ? use.amount : '…';
    } else if (use.share >= 0) {
      sum.share += use.share * use.total;
      sum.units += use.total;
    } else {
      sum.used += use.used;
      sum.total += use.total;
    }
    kinds.set(use.kind, sum);
  }
  const parts: string[] = [];
  const sorted = [...kinds].sort((a, b) => KIND_ORDER.indexOf(a[0]) - KIND_ORDER.indexOf(b[0]));
  for (const [kind, { used, total, share, units, amount }] of sorted) {
    if (amount !== '' && amount !== '…') {
      parts.push(amount);
    }
    if (total > 0) {
      parts.push(`${grouped(used)} of ${grouped(total)} ${kindWord(kind, total)} in use`);
    }
    if (units > 0) {
      parts.push(`${Math.round((100 * share) / units)} % of ${units} partitioned ${kindWord(kind, units)}`);
    }
    const gang = largestGang(model, rows, kind);
    if (gang && gang.devices >= total * GANG_SHARE) {
      parts.push(`${grouped(gang.devices)} by gang ${gang.name}`);
    }
  }
  const main = sorted[0]?.[1];
  const short = !main
    ? ''
    : main.total > 0
      ? `${main.used}/${main.total}`
      : `${Math.round((100 * main.share) / Math.max(1, main.units))} %`;
  // Many kinds of nodes: the first kinds, the picture shows the rest.
  return { what: nodes + each, use: parts.slice(0, PARTS_MAX).join(', '), short };
}

function largestGang(
  model: FleetModel,
  rows: readonly (NodeRow | PoolRow)[],
  kind: string,
): { name: string; devices: number } | undefined {
  const gangs = new Map<string, number>();
  for (const row of rows) {
    const devices = model.shapeOf(row).devices;
    const holds = row.holds ?? [];
    for (let i = 0; i + 2 < holds.length; i += 3) {
      const holder: Holder | undefined = model.holders.get(holds[i + 2]!);
      if (!holder?.gang) {
        continue;
      }
      const name = `${holder.namespace}/${holder.gang}`;
      for (let at = holds[i]!; at < holds[i]! + holds[i + 1]!; at++) {
        if (devices[at]?.kind === kind && isUsed(row.state[at] ?? '')) {
          gangs.set(name, (gangs.get(name) ?? 0) + 1);
        }
      }
    }
  }
  const largest = [...gangs].sort((a, b) => b[1] - a[1])[0];
  return largest && { name: largest[0], devices: largest[1] };
}
