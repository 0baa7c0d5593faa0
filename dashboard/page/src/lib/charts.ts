// Geometry of step charts: a value holds until the next sample.

export type Value = number | null;

export interface History {
  class?: string;
  by?: string;
  from: number;
  to: number;
  step?: number;
  time: number[];
  devices?: Value[];
  series?: { name: string; values: Value[] }[];
  fits?: { size: string; values: Value[] }[];
  pending?: Value[];
  timeToSchedule?: { p50?: Value[]; p99?: Value[]; pods?: Value[] };
}

export interface Scale {
  (value: number): number;
}

export function linear(from: number, to: number, start: number, end: number): Scale {
  const span = to - from || 1;
  return (value) => start + ((value - from) / span) * (end - start);
}

/** A logarithmic scale for values from `from` to `to`; smaller values lie at the start. */
export function logarithmic(from: number, to: number, start: number, end: number): Scale {
  const scale = linear(Math.log10(from), Math.log10(to), start, end);
  return (value) => scale(Math.log10(Math.max(from, Math.min(to, value))));
}

const fixed = (value: number) => String(Math.round(value * 10) / 10);

/** Outline of values as steps; a gap where there is no sample. The last value holds until `end`. */
export function stepLine(times: readonly number[], values: readonly Value[], x: Scale, y: Scale, end: number): string {
  let path = '';
  let open = false;
  values.forEach((value, i) => {
    const at = x(times[i] ?? 0);
    if (value === null) {
      path += open ? `H${fixed(at)}` : '';
      open = false;
      return;
    }
    path += `${open ? `H${fixed(at)}V` : `M${fixed(at)} `}${fixed(y(value))}`;
    open = true;
  });
  return open ? `${path}H${fixed(x(end))}` : path;
}

/** Area between two rows of values as steps; one closed piece for each run of samples. */
export function stepArea(
  times: readonly number[],
  lower: readonly Value[],
  upper: readonly Value[],
  x: Scale,
  y: Scale,
  end: number,
): string {
  let path = '';
  let run: number[] = [];
  const close = (until: number) => {
    if (run.length > 0) {
      path += piece(run, until);
    }
    run = [];
  };
  const piece = (indices: number[], until: number) => {
    let text = '';
    indices.forEach((i, n) => {
      const at = fixed(x(times[i] ?? 0));
      text += `${n === 0 ? `M${at} ` : `H${at}V`}${fixed(y(upper[i] ?? 0))}`;
    });
    text += `H${fixed(x(until))}`;
    for (let n = indices.length - 1; n >= 0; n--) {
      const i = indices[n] ?? 0;
      text += `V${fixed(y(lower[i] ?? 0))}H${fixed(x(times[i] ?? 0))}`;
    }
    return `${text}Z`;
  };
  upper.forEach((value, i) => {
    if (value === null) {
      close(times[i] ?? 0);
    } else {
      run.push(i);
    }
  });
  close(end);
  return path;
}

/** Rows of values added up from below: result[i] is the upper edge of row i. */
export function stacked(rows: readonly (readonly Value[])[]): Value[][] {
  const sums: Value[][] = [];
  rows.forEach((row, r) => {
    sums.push(
      row.map((value, i) => {
        const below = sums[r - 1]?.[i] ?? null;
        return value === null && below === null ? null : (value ?? 0) + (below ?? 0);
      }),
    );
  });
  return sums;
}

/** Index of the sample that holds at a time, or -1 before the first. */
export function sampleAt(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

export function largest(...rows: (readonly Value[])[]): number {
  let most = 0;
  for (const row of rows) {
    for (const value of row) {
      most = Math.max(most, value ?? 0);
    }
  }
  return most;
}

export function lastOf(values: readonly Value[]): Value {
  return values.findLast((value) => value !== null) ?? null;
}

/** Round numbers from 0 for about `wanted` lines. */
export function ticks(most: number, wanted = 3): number[] {
  const raw = Math.max(1, most / wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw) ?? raw;
  const found: number[] = [];
  for (let value = 0; value <= most; value += step) {
    found.push(value);
  }
  return found;
}

/** Times of whole hours or minutes for an axis, in seconds. */
export function timeTicks(from: number, to: number, wanted = 8): number[] {
  const steps = [60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600];
  const step = steps.find((each) => (to - from) / each <= wanted) ?? 21600;
  const offset = new Date(from * 1000).getTimezoneOffset() * 60;
  const found: number[] = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at < to; at += step) {
    found.push(at);
  }
  return found;
}

/** Positions of labels that are at least `gap` apart, from the top; the order stays. */
export function spread(positions: readonly number[], gap: number, most: number): number[] {
  const placed: number[] = [];
  positions.forEach((position, i) => placed.push(i === 0 ? position : Math.max(position, (placed[i - 1] ?? 0) + gap)));
  for (let i = placed.length - 1; i >= 0; i--) {
    const limit = i === placed.length - 1 ? most : (placed[i + 1] ?? most) - gap;
    placed[i] = Math.min(placed[i] ?? 0, limit);
  }
  return placed;
}
