// The devices of the fleet as CSV.
import type { FleetModel } from '../lib/model.ts';
import { named } from '../lib/model.ts';
import { drawnNodes } from './frames.ts';
import { describeState } from './states.ts';

/** One cell; text that a spreadsheet would take for a formula gets a quote in front. */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

const HEAD = ['node', 'driver', 'pool', 'device', 'classes', 'numa', 'pcieRoot', 'state', 'namespace', 'claim', 'pods'];

/** One line per device and holder. */
export function deviceTable({ model }: { model: FleetModel }): string[][] {
  const lines: string[][] = [HEAD];
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
