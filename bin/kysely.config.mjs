// For Vite: makes one module of Kysely's 283 (bin/one-module.mjs).
export default {
  build: {
    lib: { entry: 'node_modules/kysely/dist/index.js', formats: ['es'], fileName: () => 'index.js' },
    outDir: 'node_modules/.cache/kysely',
    minify: false,
    target: 'node26',
  },
}
