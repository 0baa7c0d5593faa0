// Columns of tables: what a cell shows, where it leads, how it sorts and exports.
import type { Cell } from '../lib/csv.ts';

export interface Column<R> {
  key: string;
  label: string;
  /** Value for sorting and exports. */
  value: (row: R) => Cell;
  /** Text of the cell; default: the value. */
  text?: (row: R) => string;
  link?: (row: R) => string | undefined;
  mono?: boolean;
  bad?: (row: R) => boolean;
}

export function compareCells(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') {
    return a - b;
  }
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  return left.localeCompare(right, 'en', { numeric: true });
}

export function isNumeric<R>(column: Column<R>, rows: readonly R[]): boolean {
  return rows.length > 0 && rows.every((row) => typeof (column.value(row) ?? 0) === 'number');
}
