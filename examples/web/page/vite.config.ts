import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // One file of 140 kB (gzip) loads faster than several that wait for each other.
  build: { outDir: '../../../dist/web', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 600 },
});
