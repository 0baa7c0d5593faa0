// Text of numbers, times and durations.

/** 45 s, 12 min, 3 h 12 min, 2 d 4 h. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) {
    return `${whole} s`;
  }
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    return minutes % 60 === 0 || hours > 9 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  }
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 || days > 9 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** 0:42, 12:05, 1:02:03. */
export function clockDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const head = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${head}:${two(whole % 60)}`;
}

export function since(time: string | undefined, now: number): string {
  const at = time === undefined ? NaN : Date.parse(time);
  return Number.isNaN(at) ? '' : duration((now - at) / 1000);
}

/** Local time of day, 14:32, or with seconds 14:32:10. */
export function clock(millis: number, withSeconds = false): string {
  const at = new Date(millis);
  const two = (value: number) => String(value).padStart(2, '0');
  const head = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return withSeconds ? `${head}:${two(at.getSeconds())}` : head;
}

/** Local date and time, 2026-11-18 14:32. */
export function dateTime(time: string | undefined): string {
  const millis = time === undefined ? NaN : Date.parse(time);
  if (Number.isNaN(millis)) {
    return '';
  }
  const at = new Date(millis);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(millis)}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The first names and the number of the others: a, b and 3 more. */
export function names(list: readonly string[], shown = 2): string {
  return list.length <= shown
    ? list.join(', ')
    : `${list.slice(0, shown).join(', ')} and ${list.length - shown} more`;
}

/** A number with at most `digits` decimals, without trailing zeros. */
export function decimal(value: number, digits = 1): string {
  return String(Number(value.toFixed(digits)));
}

/** 10 ms, 0.4 s, 3 s, 2 min: a measured time in seconds. */
export function seconds(value: number): string {
  if (value < 1) {
    return value < 0.1 ? `${decimal(value * 1000, 0)} ms` : `${decimal(value, 2)} s`;
  }
  return value < 60 ? `${decimal(value)} s` : duration(value);
}
