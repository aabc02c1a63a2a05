// Loaded before the service (`--import`), also in each of its threads: it finds made-up probes in the place of its own.
// All the rest is the service as it is.
import { registerHooks } from 'node:module'

const REAL = new URL('../../src/probes/run.ts', import.meta.url).href
const MADE_UP = new URL('./made-up-probes.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context)
    return found.url === REAL ? { ...found, url: MADE_UP } : found
  },
})
