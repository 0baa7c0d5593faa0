import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const CSS = readFileSync(new URL('../../../../src/tokens.css', import.meta.url), 'utf8');

/** Tokens of one theme, as in tokens.css. */
function tokens(selector: string): Map<string, string> {
  const start = CSS.indexOf(selector);
  const block = CSS.slice(CSS.indexOf('{', start) + 1, CSS.indexOf('}', start));
  return new Map([...block.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{3,6});/g)].map((match) => [match[1]!, match[2]!]));
}

function luminance(hex: string): number {
  const full = hex.length === 4 ? [...hex.slice(1)].map((each) => each + each).join('') : hex.slice(1);
  const [r, g, b] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const THEMES = [
  ['light', tokens(':root {')],
  ['dark', tokens(':root[data-theme="dark"]')],
] as const;

for (const [theme, colors] of THEMES) {
  const ratio = (a: string, b: string): number => contrast(colors.get(a)!, colors.get(b)!);

  test(`${theme}: text reaches 4.5 : 1 on the grounds on which it stands`, () => {
    for (const ink of ['ink', 'ink-2', 'ink-3']) {
      for (const ground of ['surface', 'sunk', 'bg']) {
        assert.ok(ratio(ink, ground) >= 4.5, `${ink} on ${ground}: ${ratio(ink, ground).toFixed(2)}`);
      }
    }
    assert.ok(ratio('taint', 'surface') >= 4.5);
    assert.ok(ratio('taint', 'bad-bg') >= 4.5);
  });

  test(`${theme}: outlines and fills of states reach 3 : 1 on the tile`, () => {
    for (const edge of ['free-b', 'use', 'held-b', 'taint', 'attach-b', 'block-b']) {
      assert.ok(ratio(edge, 'surface') >= 3, `${edge}: ${ratio(edge, 'surface').toFixed(2)}`);
    }
  });

  test(`${theme}: labels reach 4.5 : 1 on the fills of devices and holders`, () => {
    assert.ok(ratio('on-use', 'use') >= 4.5);
    assert.ok(ratio('on-held', 'held') >= 4.5);
    assert.ok(ratio('ink', 'use-soft') >= 4.5);
    for (const slot of [0, 1, 2, 3, 4, 5, 6]) {
      assert.ok(ratio(`on-h${slot}`, `h${slot}`) >= 4.5, `on-h${slot}: ${ratio(`on-h${slot}`, `h${slot}`).toFixed(2)}`);
    }
  });
}
