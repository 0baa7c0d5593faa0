// Numbers in the head of a frame: nodes, use of the main kind, largest gang.
import type { Holder, NodeRow, PoolRow } from '../lib/contract.ts';
import type { FleetModel } from '../lib/model.ts';
import type { PlacedFrame } from './arrange.ts';
import { profileOf } from './frames.ts';
import { isUsed } from './states.ts';
import { grouped, kindWord, useOf } from './words.ts';

export interface FrameSummary {
  /** "4 nodes, 8 GPUs NVIDIA H100". */
  what: string;
  /** "21 of 32 GPUs in use, 16 by gang pretrain/llama". */
  use: string;
  /** "21/32". */
  short: string;
}

const GANG_SHARE = 0.25;

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
  let used = 0;
  let total = 0;
  let share = 0;
  let units = 0;
  let kind = '';
  for (const row of rows) {
    const use = useOf(model.shapeOf(row), row);
    kind = kind === '' || use.kind === kind ? use.kind : 'o';
    if (use.share >= 0) {
      share += use.share * use.total;
      units += use.total;
    } else {
      used += use.used;
      total += use.total;
    }
  }
  const counted = total > 0 ? `${grouped(used)} of ${grouped(total)} ${kindWord(kind, total)} in use` : '';
  const shared = units > 0 ? `${Math.round((100 * share) / units)} % of ${units} partitioned` : '';
  const gang = largestGang(model, rows, kind);
  const by = gang && gang.devices >= total * GANG_SHARE ? `${grouped(gang.devices)} by gang ${gang.name}` : '';
  const use = [counted, shared, by].filter((part) => part !== '').join(', ');
  const short = total > 0 ? `${used}/${total}` : `${Math.round((100 * share) / Math.max(1, units))} %`;
  return { what: nodes + each, use, short };
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
