import assert from 'node:assert/strict';
import { test } from 'node:test';
import { path, withQuery } from '../src/lib/api.ts';

test('names in paths and queries are encoded', () => {
  assert.equal(path('explain', 'a/b', '<x>'), 'explain/a%2Fb/%3Cx%3E');
  assert.equal(withQuery('filter', { cel: 'a == "b"', q: undefined }), 'filter?cel=a%20%3D%3D%20%22b%22');
});
