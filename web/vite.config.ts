import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = process.env['LUDOTECA_SERVER'] ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [svelte()],
  resolve: {
    alias: {
      '@words': at('../src/ludoteca/words'),
      '@games': at('../src/ludoteca/games'),
      '@server': at('../src/ludoteca/server'),
      '@': at('./src'),
    },
    // Components are tested as they run: in a browser build of Svelte.
    ...(process.env['VITEST'] ? { conditions: ['browser'] } : {}),
  },
  build: {
    outDir: at('../src/ludoteca/page'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0, // fonts and pictures stay files: the page's content policy allows no other source
  },
  server: {
    fs: { allow: [at('..')] },
    proxy: {
      '/api': { target: server, ws: true, changeOrigin: false },
      '/boards': { target: server, changeOrigin: false },
    },
  },
  test: { include: ['tests/**/*.test.ts'], setupFiles: ['tests/words.setup.ts'] },
});
