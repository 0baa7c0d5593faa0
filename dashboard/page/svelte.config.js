import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // From the styles alone, so that a build in another folder gives the same files.
    cssHash: ({ hash, css }) => `s-${hash(css)}`,
  },
};
