// The page in a browser, with fixed data.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibilityFindings, assertFaultless, launch, open, shows } from './browser.mjs';
import { fixture, HOSTILE } from './fixture.mjs';
import { serve } from './server.mjs';

let browser;
let plain;
let server;
before(async () => {
  browser = await launch();
  plain = fixture();
  server = await serve(plain.answers);
});
after(async () => {
  await browser.close();
  await server.close();
});

async function started(t, { answers }) {
  const own = await serve(answers);
  t.after(() => own.close());
  return own;
}

const VIEWS = [
  ['/ui/fleet', 'Rack r01'],
  ['/ui/pending', 'llama-eval-0'],
  ['/ui/pending/research/llama-eval-0?release=sandbox%2Fnotebook-7-gpu', 'goes to h100x8-02'],
  ['/ui/whatif?release=sandbox%2Fnotebook-7-gpu&pod=research%2Fllama-eval-0', '4 devices planned'],
  ['/ui/use', 'What still fits'],
  ['/ui/gangs', 'llama-70b'],
  ['/ui/gangs/pretrain/llama-70b', '3 of 4 placed'],
  ['/ui/claims', 'llama-eval-0-gpu'],
  ['/ui/claims/research/job-0-gpu', 'FailedScheduling'],
  ['/ui/devices/gpu.nvidia.com/h100x8-02/gpu-4', 'Holders in the last 24 hours'],
  ['/ui/classes', 'gpu.nvidia.com'],
  ['/ui/slices', 'incomplete: 1 of 2 slices exist'],
  ['/ui/drivers', 'gpu.nvidia.com'],
  ['/ui/quotas', 'deviceclass.resource.k8s.io/devices'],
];

// The dark theme has the same structure and other colours.
for (const [colorScheme, views, rules] of [
  ['light', VIEWS, undefined],
  ['dark', VIEWS.slice(0, 7), ['color-contrast']],
]) {
  test(`every view shows its data without serious findings of axe-core and without faults (${colorScheme})`, async (t) => {
    const page = await open(t, browser, { colorScheme });
    await page.goto(`${server.url}/ui/fleet`);
    for (const [path, text] of views) {
      // As a link would: the address changes and the page stays.
      await page.evaluate((url) => {
        history.pushState(null, '', url);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await shows(page, text);
      assert.deepEqual(await accessibilityFindings(page, rules), [], path);
    }
    assertFaultless(page);
  });
}

test('a change appears without reload, and a connection that was cut off catches up', async (t) => {
  const mine = await started(t, fixture());
  const page = await open(t, browser);
  await page.goto(`${mine.url}/ui/pending`);
  await page.getByRole('link', { name: 'Pending 4' }).waitFor();
  await page.evaluate(() => (window.same = true));
  mine.send('change', { rev: 'fixed.2', pending: { pods: 9 } });
  await page.getByRole('link', { name: 'Pending 9' }).waitFor();
  mine.cut();
  await shows(page, / old$/);
  await page.locator('.live', { hasText: 'live' }).waitFor();
  mine.send('change', { rev: 'fixed.3', pending: { pods: 5 } });
  await page.getByRole('link', { name: 'Pending 5' }).waitFor();
  assert.equal(await page.evaluate(() => window.same), true);
  assertFaultless(page);
});

test('tabs of one browser share one stream, and both follow it', async (t) => {
  const mine = await started(t, fixture());
  const first = await open(t, browser);
  await first.goto(`${mine.url}/ui/use`);
  await first.getByRole('link', { name: 'Pending 4' }).waitFor();
  const second = await first.context().newPage();
  await second.goto(`${mine.url}/ui/use`);
  await second.getByRole('link', { name: 'Pending 4' }).waitFor();
  mine.send('change', { rev: 'fixed.2', pending: { pods: 6 } });
  await first.getByRole('link', { name: 'Pending 6' }).waitFor();
  await second.getByRole('link', { name: 'Pending 6' }).waitFor();
  assert.equal(mine.streams(), 1);
  // The other tab takes over.
  const opened = mine.nextStream();
  await first.close();
  await opened;
  mine.send('change', { rev: 'fixed.3', pending: { pods: 7 } });
  await second.getByRole('link', { name: 'Pending 7' }).waitFor();
});

test('markup in names of pods, claims, labels, taints and CEL stays text', async (t) => {
  const mine = await started(t, fixture({ hostile: true }));
  const page = await open(t, browser);
  await page.goto(`${mine.url}/ui/fleet`);
  await shows(page, 'Rack r01');
  const hostile = encodeURIComponent(`job-0-gpu${HOSTILE}`);
  const pod = encodeURIComponent(`llama-eval-0${HOSTILE}`);
  for (const path of [`/ui/pending/research/${pod}`, '/ui/use', '/ui/claims', `/ui/claims/research/${hostile}`, '/ui/devices/gpu.nvidia.com/h100x8-02/gpu-4', '/ui/classes']) {
    await page.goto(mine.url + path);
    await shows(page, path === '/ui/use' ? 'What still fits' : HOSTILE);
  }
  await page.goto(`${mine.url}/ui/claims`);
  await page.getByRole('button', { name: 'YAML' }).first().click();
  await page.locator('pre', { hasText: HOSTILE }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.doesNotMatch(await page.title(), /^pwned/);
  assertFaultless(page);
});

test('a user who may not read claims sees the missing right and devices in use without names', async (t) => {
  const mine = await started(t, fixture({ hidden: true }));
  const page = await open(t, browser);
  await page.goto(`${mine.url}/ui/fleet`);
  await shows(page, 'jane may not list resourceclaims; devices in use are shown without names');
  await shows(page, 'berth-reader');
  assertFaultless(page);
});

test('a token that was used is refused with what to do', async (t) => {
  const page = await open(t, browser);
  await page.goto(`${server.url}/ui/#token=used`);
  await shows(page, 'the token was used already');
  await shows(page, 'run `berth ui` and open the URL that it prints');
  assert.equal(await page.evaluate(() => location.hash), '');
});

test('the token of the fragment leads to the view of the link and leaves the address', async (t) => {
  const page = await open(t, browser);
  await page.goto(`${server.url}/ui/#token=good&path=/pending/research/llama-eval-0`);
  await shows(page, 'What would help');
  assert.equal(new URL(page.url()).pathname, '/ui/pending/research/llama-eval-0');
  assert.equal(await page.evaluate(() => location.hash), '');
});

test('all is reached by keys: views, find, list of keys, theme, suggestions, steps, YAML', async (t) => {
  const page = await open(t, browser);
  const press = async (...keys) => {
    for (const key of keys) {
      await page.keyboard.press(key);
    }
  };
  await page.goto(`${server.url}/ui/fleet`);
  await shows(page, 'Rack r01');
  await press('g', 'p');
  await shows(page, 'What would help');
  await press(']');
  await page.waitForURL('**/pending/vision/line-inspect-2*');
  await press('[');
  await page.waitForURL('**/pending/research/llama-eval-0*');
  await press('w');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Try');
  await press('Enter');
  await shows(page, 'goes to h100x8-02');
  await press('y');
  await page.getByRole('dialog').locator('pre').waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press('/');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('placeholder')), 'namespace, pod, cause');
  await page.keyboard.type('camera');
  await press('Escape');
  assert.equal(await page.getByRole('link', { name: /llama-eval-0/ }).count(), 0);
  await press('d');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await press('Escape', 'g', 'u');
  await shows(page, 'What still fits');
  await press('ArrowLeft');
  await page.waitForURL('**/use?at=*');
  await press('g', 'c');
  await shows(page, 'llama-eval-0-gpu');
  assertFaultless(page);
});

test('at 1280 and at 900 pixels nothing is wider than the window', async (t) => {
  for (const width of [1280, 900]) {
    const page = await open(t, browser, { width });
    for (const path of ['/ui/fleet', '/ui/pending', '/ui/use', '/ui/claims']) {
      await page.goto(server.url + path);
      await page.locator('main h1, main h2, main canvas, main svg').first().waitFor();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${path} at ${width}: ${over} pixels too wide`);
    }
  }
});
