// The devices of the fleet as lines of a CSV file.
import type { FleetModel } from '../lib/model.ts';
import { named } from '../lib/model.ts';
import { drawnNodes } from './frames.ts';
import { describeState } from './states.ts';

export const DEVICE_HEADER = [
  'node',
  'driver',
  'pool',
  'device',
  'classes',
  'numa',
  'pcieRoot',
  'state',
  'namespace',
  'claim',
  'pods',
];

/** One line per device and holder. */
export function deviceLines(model: FleetModel): string[][] {
  const lines: string[][] = [];
  for (const row of [...drawnNodes(model), ...model.pools.values()]) {
    model.shapeOf(row).devices.forEach((device, position) => {
      const start = [
        row.name,
        device.driver,
        named(device.pool, row.name),
        named(device.name, row.name),
        (device.classes ?? []).join(' '),
        (device.numa ?? []).join(' '),
        (device.root ?? []).join(' '),
        describeState(row.state[position] ?? '_'),
      ];
      const holders = model.holdersOf(row, position);
      lines.push(
        ...(holders.length === 0
          ? [[...start, '', '', '']]
          : holders.map((holder) => [...start, holder.namespace, holder.claim, (holder.pods ?? []).join(' ')])),
      );
    });
  }
  return lines;
}
