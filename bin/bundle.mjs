// Bundles the program for a release: `node bin/bundle.mjs FOLDER`. Run by bin/build.mjs, on the pinned Node.
import { cpSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The modules with which a process or a thread begins: each gets its own bundle, which holds only what it needs. */
const ENTRIES = [
  'main',
  'roles/checking-thread',
  'roles/crawl-thread',
  'operations/sign-in/password-thread',
  'imports/reading-process',
  'probes/browser/page-process',
]

/** Files that the program reads besides its modules, where the project has them (`src/files/own-files.ts`). */
const READ_FILES = ['package.json', 'CHANGELOG.md', 'docs', 'agent', 'dashboard/dist', 'src']

/** Packages with native parts, and those that are loaded by a name that only a running program knows. */
export const OUTSIDE = ['koffi', 'sharp', 'pino-pretty', 'playwright-core']
/** Packages that `pg` and `ws` would use if they were installed. */
const ABSENT = ['pg-native', 'bufferutil', 'utf-8-validate']

/**
 * Takes `node:http` from Node as `require` does. An `import` of it reads all of its exports, among them Node's WebSocket, and so
 * loads undici: 3 MB of heap in each thread, and 60 ms of its start, for what a thread that checks never uses.
 */
export const HTTP_WITHOUT_UNDICI = {
  name: 'http-without-undici',
  resolveId: (id, _importer, { kind }) =>
    id === 'node:http' && kind !== 'require-call' ? '\0http-without-undici' : null,
  load: (id) => (id === '\0http-without-undici' ? httpModule() : null),
}

function httpModule() {
  // Getters are what Node loads when it is asked for.
  const names = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { get }]) =>
    get ? [] : name,
  )
  return `const http = process.getBuiltinModule('node:http')
export default http
export const { ${names.join(', ')} } = http`
}

if (import.meta.main) await makeRelease()

async function makeRelease() {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('usage: node bin/bundle.mjs FOLDER')
  for (const path of READ_FILES) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: (file) => !file.endsWith('.ts') })
  }
  for (const entry of ENTRIES) await bundle(entry, folder)
}

/**
 * The service in a few files, because a start waits for each that it loads as long as for 100 kB in it. They are loaded in this
 * order, and none needs a later one: commands and remote probes load what they share with the service, and nothing of its own.
 */
function partsOfService() {
  let parts
  return ['service', 'shared-lazily', 'probing', 'shared', 'first'].map((name, priority) => ({
    debugName: name,
    priority,
    name(id, modules) {
      parts ??= findParts(modules)
      return parts[name].has(id) ? name : null
    },
  }))
}

function findParts(modules) {
  const reach = (files, withLazy) => {
    const reached = new Set(files.map((file) => join(ROOT, 'src', file)))
    // A set goes on to what is added meanwhile.
    for (const id of reached) {
      const { importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {}
      for (const next of withLazy ? [...importedIds, ...dynamicallyImportedIds] : importedIds)
        reached.add(next)
    }
    return reached
  }
  const commands = ['cli/program.ts', 'cli/terminal.ts', 'roles/deployment.ts']
  const service = reach(['roles/serve.ts'])
  return {
    first: reach(['config.ts', 'port.ts', 'roles/stop.ts', 'log.ts', 'postgres/embedded/server.ts']),
    shared: service.intersection(reach(commands)),
    probing: service.intersection(reach(['roles/remote-probe.ts'])),
    'shared-lazily': service.intersection(reach(commands, true)),
    service,
  }
}

async function bundle(entry, folder) {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { [entry]: join(ROOT, `src/${entry}.ts`) },
    platform: 'node',
    external: [...OUTSIDE, ...ABSENT],
    plugins: [HTTP_WITHOUT_UNDICI],
  })
  await bundle.write({
    dir: join(folder, 'src'),
    format: 'es',
    // Logs name the kind of an error, and the functions on the way to it.
    minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } } },
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: `${entry}/[name]-[hash].js`,
    codeSplitting: entry === 'main' ? { groups: partsOfService() } : true,
    comments: false,
    // V8 keeps a text with any other character in twice the memory.
    charset: 'ascii',
  })
  await bundle.close()
}
