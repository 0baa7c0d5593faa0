import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/ui/',
  plugins: [svelte()],
  server: { proxy: { '/ui/api': { target: process.env.BERTH_UI ?? 'http://127.0.0.1:8700' } } },
  build: {
    outDir: '../src/main/resources/dev/berth/dashboard/page',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined assets would be data: URLs, the polyfill an inline script; the Content-Security-Policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: 'assets/app-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});
