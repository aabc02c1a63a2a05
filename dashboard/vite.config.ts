import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Modules with operations, each with the name that it exports them by. */
const CONTRACTS: Record<string, string> = {
  [join(import.meta.dirname, '../src/contract/contract.ts')]: 'allOperations',
  [join(import.meta.dirname, '../src/contract/accounts.ts')]: 'accountContract',
}

/**
 * The contract as the dashboard needs it at run time: it asks by method and path alone. The schemas of all answers would
 * be half of its script.
 */
function methodsAndPaths(): Plugin {
  return {
    name: 'methods-and-paths',
    async load(id) {
      const name = CONTRACTS[id]
      if (name === undefined) return null
      const { [name]: operations } = await import(pathToFileURL(id).href)
      const asked = Object.entries<{ method: string; path: string }>(operations).map(
        ([operation, { method, path }]) => [operation, { method, path }],
      )
      return `export const ${name} = ${JSON.stringify(Object.fromEntries(asked))}`
    },
  }
}

/** Asks for the part of the face that every page needs with the page, not once the style sheet is there. */
function preloadFace(): Plugin {
  return {
    name: 'preload-face',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /\/inter-latin-wght-[\w-]+\.woff2$/.test(name))
        if (file === undefined) return []
        const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

/** Asks for the files that `main.tsx` imports once the texts are there with the page, not one after the other. */
function preloadStart(): Plugin {
  return {
    name: 'preload-start',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const start = chunks.find(({ name }) => name === 'start')
        const files = start ? [start.fileName, ...start.imports] : []
        const unnamed = files.filter((name) => !html.includes(name))
        return unnamed.map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', href: `/${name}`, crossorigin: true },
          injectTo: 'head' as const,
        }))
      },
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [methodsAndPaths(), react(), tailwindcss(), preloadFace(), preloadStart()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    // Nothing is inlined: the content security policy allows our own files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // One file with everything that the first screen needs, instead of thirty that screens share with it; before it
        // the one that reads the texts, with everything of ours that these need: they must not lead to the former.
        codeSplitting: {
          groups: [
            {
              name: 'language',
              test: /\/(dashboard\/language\/language|core\/monitors\/monitor-types)\.ts$/,
              priority: 2,
            },
            { name: 'start', test: /\/dashboard\/start\.tsx$/, priority: 1 },
            // A screen loads these and its own file, instead of forty that it shares with one or two others each: the
            // browser asks for six at a time.
            { name: 'parts', test: /\/dashboard\/(parts|data|language)\//, minShareCount: 4 },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 400,
  },
})
