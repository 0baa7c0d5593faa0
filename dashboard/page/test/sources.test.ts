import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.svelte') || name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(`src/${name}`, 'utf8') }));
const matches = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

test('no text becomes markup', () => {
  assert.deepEqual(matches(/\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write/), []);
});

test('no template has a style attribute, which the Content-Security-Policy forbids', () => {
  assert.deepEqual(matches(/\sstyle=["{]|setAttribute\(['"]style/), []);
});

test('nothing is loaded from elsewhere', () => {
  assert.deepEqual(matches(/(?:src|href)="https?:|@import/), []);
});

test('the lock file names no addresses of packages', () => {
  assert.doesNotMatch(readFileSync('package-lock.json', 'utf8'), /"resolved"/);
});
