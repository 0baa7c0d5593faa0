// The Fleet view in a browser: places that stay, keys, filter, panel.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertFaultless, launch, open, shows } from './browser.mjs';
import { fixture } from './fixture.mjs';
import { serve } from './server.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function fleet(t) {
  const { answers } = fixture();
  const server = await serve(answers);
  t.after(() => server.close());
  const page = await open(t, browser);
  await page.goto(`${server.url}/ui/fleet`);
  await shows(page, 'Rack r01');
  return { page, server };
}

const places = (page) =>
  page.evaluate(() => [...document.querySelectorAll('article.tile')].map((tile) => `${tile.style.left} ${tile.style.top}`));

test('a new node comes last and moves no tile until the user sorts', async (t) => {
  const { page, server } = await fleet(t);
  const before = await places(page);
  const shape = await page.evaluate(async () => (await (await fetch('/ui/api/fleet')).json()).nodes.shape[0]);
  const node = { id: 9000, name: 'late-0', shape, groups: [], state: '.'.repeat(200) };
  server.send('change', { rev: 'fixed.2', nodes: [node] });
  await page.getByRole('button', { name: '1 change, sort' }).waitFor();
  assert.deepEqual((await places(page)).slice(0, before.length), before);
  await page.getByRole('button', { name: '1 change, sort' }).click();
  await page.getByRole('button', { name: '1 change, sort' }).waitFor({ state: 'detached' });
  assertFaultless(page);
});

test('keys go into a tile down to a device, whose details are shown', async (t) => {
  const { page } = await fleet(t);
  const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  await page.getByRole('gridcell').focus();
  const tile = await label();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((old) => document.activeElement?.getAttribute('aria-label') !== old, tile);
  await page.keyboard.press('Enter');
  assert.match(await label(), /^NUMA 0, /);
  await page.keyboard.press('Enter');
  assert.match(await label(), /^PCIe root /);
  await page.keyboard.press('Enter');
  assert.match(await label(), /^gpu-0, .*NUMA 0, root /);
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Details of gpu-0' }).waitFor();
  await page.keyboard.press('Escape');
  assert.match(await label(), /^PCIe root /);
  assertFaultless(page);
});

test('the legend filters by state, the filter says how much matches, and Escape clears it', async (t) => {
  const { page } = await fleet(t);
  await page.getByRole('button', { name: /^Tainted, unhealthy/ }).click();
  await page.waitForURL('**/fleet?q=state%3Atainted');
  await shows(page, /^\d+ on \d+$/);
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await page.waitForURL('**/fleet');
  assertFaultless(page);
});
