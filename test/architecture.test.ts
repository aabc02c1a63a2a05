import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { SENTENCES_OF_OTHERS, sentencesTakenApart } from './support/sentences-taken-apart.ts'
import { WAIT_EXCEPTIONS } from './support/time/literal-wait-exceptions.ts'
import { literalWaits } from './support/time/literal-waits.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
const MAX_FILE_LINES = 400
const MAX_MEDIAN_LINES = 100
/** A closure that holds state stays short enough to be read at once. */
const MAX_FUNCTION_LINES = 150

/** About as many as a reader takes in at once: more want rooms by subject. */
const MAX_FILES = 25

/** `layer` is the outer folder, whatever room of it the file lies in, and '.' for the entry of the process. */
type Source = { path: string; layer: string; text: string; imports: string[] }

function readSources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/^(dist|node_modules)\//.test(file))
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const imports = [...text.matchAll(/(?:\bfrom\s+|\bimport\(\s*|^import\s+)'([^']+)'/gm)].map(
        ([, name]) => name as string,
      )
      return { path: file, layer: layerOf(file), text, imports }
    })
}

const sources = readSources(SRC)

/** Layers that wire the others: they may import everything. */
const WIRING = ['.', 'roles']

function layerOf(file: string): string {
  const [layer, rest] = file.split('/')
  return rest === undefined ? '.' : (layer as string)
}

/** The table of ARCHITECTURE.md: layer to what it may import. */
function readTable(): Map<string, { folders: string[]; packages: string[] }> {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const section = text.split('## Who may import whom')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| (\w+) \| ([^|]+) \| ([^|]+) \|$/gm)]
  const names = (cell = '') =>
    cell
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '–')
  return new Map(
    rows.map(([, folder, folders, packages]) => [
      folder as string,
      { folders: names(folders), packages: names(packages) },
    ]),
  )
}

/** Lists that only grow, read by number and by the name of a program. */
const LISTS = ['src/postgres/migrations', 'test/programs']

describe('the architecture', () => {
  const table = readTable()
  table.delete('layer')

  it('has the layers that ARCHITECTURE.md lists', () => {
    const layers = new Set(sources.map(({ layer }) => layer).filter((layer) => !WIRING.includes(layer)))
    assert.deepEqual([...layers].sort(), [...table.keys()].sort())
  })

  for (const place of ['src', 'dashboard', 'test', 'bench']) {
    it(`has no folder of ${place} that holds more than ${MAX_FILES} files`, () => {
      const files = readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('/dashboard/dist'))
        .map((entry) => relative(ROOT, entry.parentPath))
      const counted = Map.groupBy(files, (folder) => folder)
      const full = [...counted]
        .filter(([folder, held]) => held.length > MAX_FILES && !LISTS.includes(folder))
        .map(([folder]) => folder)
      assert.deepEqual(full, [])
    })
  }

  it('imports only what the table allows', () => {
    const wrong = sources.flatMap(({ path, layer, imports }) => {
      const allowed = table.get(layer)
      if (!allowed) return []
      return imports
        .filter((name) => !isAllowed(name, path, layer, allowed))
        .map((name) => `${path}: ${name}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('allows nothing that is not used', () => {
    const unused = [...table].flatMap(([layer, { folders, packages }]) => {
      const used = new Set(sources.filter((source) => source.layer === layer).flatMap(usedNames))
      return [...folders, ...packages].filter((name) => !used.has(name)).map((name) => `${layer}: ${name}`)
    })
    assert.deepEqual(unused, [])
  })

  it('has no import cycles', () => {
    assert.deepEqual(findCycles(sources), [])
  })

  it(`has no function of more than ${MAX_FUNCTION_LINES} lines`, () => {
    const long = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)[\s\S]*?^}$/gm)]
        .filter(([body]) => body.split('\n').length > MAX_FUNCTION_LINES)
        .map(([, name]) => `${path}: ${name}`),
    )
    assert.deepEqual(long, [])
  })

  it('keeps clocks, randomness and I/O out of core', () => {
    const impure =
      /\bnew Date\(\)|Date\.now|Math\.random|performance\.|\bfetch\(|\bcrypto\.|setTimeout|process\./
    const wrong = sources.filter(({ layer, text }) => layer === 'core' && impure.test(text))
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    )
  })

  it('reads the environment in config.ts only', () => {
    const wrong = sources.filter(({ path, text }) => path !== 'config.ts' && /process\.env/.test(text))
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    )
  })

  it('finds files and starts threads by their path in the project, for a release has no modules beside them', () => {
    const found = sources.filter(({ path, text }) => {
      const others = text
        .replaceAll("createRequire(import.meta.url)('", '')
        .replaceAll('new Worker(watch,', '')
      return (
        path !== 'files/own-files.ts' && /import\.meta\.(?:url|dirname|filename)|new Worker\(/.test(others)
      )
    })
    assert.deepEqual(
      found.map(({ path }) => path),
      [],
    )
  })

  it('keeps SQL in postgres and store', () => {
    const sql = /\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/
    const wrong = sources.filter(
      ({ layer, text }) => !['postgres', 'store'].includes(layer) && sql.test(text),
    )
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    )
  })

  it('inserts monitors for tests and benches in one place, which follows the schema', () => {
    const place = 'test/support/records/'
    const ofOlderSchemas =
      /^test\/((long\/database\/)?postgres\/[a-z]+-migration\.test|support\/postgres\/first-version)\.ts$/
    const wrong = ['test', 'bench']
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(folder, file),
        ),
      )
      .filter((file) => file.endsWith('.ts') && !file.startsWith(place) && !ofOlderSchemas.test(file))
      .filter((file) =>
        /INSERT INTO\s+monitors\b|insertInto\('monitors'/i.test(readFileSync(join(ROOT, file), 'utf8')),
      )
    assert.deepEqual(wrong, [], `use addMonitor of ${place}monitors.ts`)
  })

  it('keeps files short', () => {
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length }))
    assert.deepEqual(
      lengths.filter(({ lines }) => lines > MAX_FILE_LINES),
      [],
    )
    const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b)
    assert.ok((sorted[sorted.length >> 1] ?? 0) < MAX_MEDIAN_LINES)
  })
})

/** Places that run and build the service, and those of developers alone. */
const PLACES = { dependencies: ['src', 'dashboard', 'bin'], devDependencies: ['test', 'bench', 'deploy'] }
const PACKAGE = /^(?:@[\w-]+\/)?[\w.-]+(?=\/|$)/

describe('the packages that are imported', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const undeclared = (places: readonly string[], declared: object) =>
    places.flatMap((place) =>
      readSources(join(ROOT, place)).flatMap(({ path, imports }) =>
        imports
          .filter((name) => PACKAGE.test(name) && !name.startsWith('.') && !name.startsWith('node:'))
          .filter((name) => !(packageOf(name) in declared))
          .map((name) => `${place}/${path}: ${name}`),
      ),
    )

  it('are declared, and installed without the packages of developers where the service needs them', () => {
    assert.deepEqual(undeclared(PLACES.dependencies, dependencies), [])
    assert.deepEqual(undeclared(PLACES.devDependencies, { ...dependencies, ...devDependencies }), [])
  })

  it('hold one rolldown, which bundles the service and is the one of Vite', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
    const paths = Object.keys(packages).filter((path) => path.endsWith('node_modules/rolldown'))
    assert.deepEqual(paths, ['node_modules/rolldown'])
  })
})

/** The rooms of the dashboard, and the other rooms that each may import. The files beside them wire. */
const ROOMS: Record<string, readonly string[]> = {
  language: [],
  data: ['language'],
  parts: ['data', 'language'],
  forms: ['data', 'language', 'parts'],
  app: ['data', 'language', 'parts'],
  screens: ['app', 'data', 'forms', 'language', 'parts'],
}

describe('the rooms of the dashboard', () => {
  const DASHBOARD = join(ROOT, 'dashboard')
  const screens = readSources(DASHBOARD)
  const ofRooms = screens.filter(({ layer }) => layer !== '.')
  const ownImports = ({ path, imports }: Source) =>
    imports
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(DASHBOARD, resolve(DASHBOARD, dirname(path), name)))
      .filter((name) => !name.startsWith('..'))

  it('are those of the table', () => {
    assert.deepEqual([...new Set(ofRooms.map(({ layer }) => layer))].sort(), Object.keys(ROOMS).sort())
  })

  it('import only what the table allows', () => {
    const wrong = ofRooms.flatMap((source) =>
      ownImports(source)
        .filter((name) => ![source.layer, ...(ROOMS[source.layer] ?? [])].includes(layerOf(name)))
        .map((name) => `${source.path}: ${name}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('are allowed nothing that they do not use', () => {
    const unused = Object.entries(ROOMS).flatMap(([room, allowed]) => {
      const used = new Set(
        ofRooms.filter(({ layer }) => layer === room).flatMap((source) => ownImports(source).map(layerOf)),
      )
      return allowed.filter((name) => !used.has(name)).map((name) => `${room}: ${name}`)
    })
    assert.deepEqual(unused, [])
  })

  it('have no import cycles', () => {
    assert.deepEqual(findCycles(screens), [])
  })
})

describe('what npm test leaves out', () => {
  const TESTS = join(ROOT, 'test')
  const REASON = /^ *\/\/ npm test leaves this out: it .{10,}\.$/
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && file !== 'architecture.test.ts')
    .map((file) => ({ file, lines: readFileSync(join(TESTS, file), 'utf8').split('\n') }))
  const isLong = ({ file }: { file: string }) => file.startsWith('long/')

  it('says why: a file in its first line, and a test in the line above', () => {
    const silent = files.flatMap(({ file, lines }) =>
      lines.flatMap((line, index) =>
        (isLong({ file }) ? index === 0 : /^ *(?:it|describe)AtLength\(/.test(line)) &&
        !REASON.test(lines[isLong({ file }) ? 0 : index - 1] ?? '')
          ? [`test/${file}:${index + 1}`]
          : [],
      ),
    )
    assert.deepEqual(silent, [])
  })

  it('is run whole by the longer tests, which have nothing to leave out themselves', () => {
    const ofSample = files.filter(
      ({ file, lines }) =>
        !file.startsWith('programs/') && lines.some((line) => /\/at-length\.ts'/.test(line)),
    )
    assert.deepEqual(
      ofSample.filter(isLong).map(({ file }) => file),
      [],
    )
    const imported = files
      .filter(({ file }) => file.endsWith('/at-length.test.ts'))
      .flatMap(({ file, lines }) =>
        lines.map((line) => join(dirname(file), /^import '(.*)'$/.exec(line)?.[1] ?? '')),
      )
    assert.deepEqual(
      ofSample.map(({ file }) => file).filter((file) => !imported.includes(file)),
      [],
    )
  })
})

describe('a sentence', () => {
  const all = [
    ...sources.map(({ path, text }) => ({ path: `src/${path}`, text })),
    ...readSources(join(ROOT, 'dashboard')).map(({ path, text }) => ({ path: `dashboard/${path}`, text })),
  ]
  const taken = all.filter(({ text }) => sentencesTakenApart(text).length > 0)

  it('of ours is data, or has a code: no place looks into its English', () => {
    const found = taken
      .filter(({ path }) => SENTENCES_OF_OTHERS[path] === undefined)
      .flatMap(({ path, text }) => sentencesTakenApart(text).map((line) => `${path}: ${line}`))
    assert.deepEqual(found, [])
  })

  it('of others is looked into where it is written down', () => {
    const paths = taken.map(({ path }) => path)
    assert.deepEqual(
      Object.keys(SENTENCES_OF_OTHERS).filter((path) => !paths.includes(path)),
      [],
    )
  })

  it('is said by each pattern that a value must fit', () => {
    const silent = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\.regex\(\s*\/(?:\\.|[^\n/\\])+\/\w*\s*\)/g)].map(([call]) => `${path}: ${call}`),
    )
    assert.deepEqual(silent, [])
  })

  for (const code of [
    "cause.startsWith('the home page: ')",
    '/^address .* is not allowed/.test(dialed.reason)',
    'detail === MAIL_IS_NOT_SET_UP',
    "stored.errorMessage === 'check was cancelled'",
    "position(split_part($2, ': ', 1) IN cut_short)",
  ])
    it(`is found where it is taken apart: ${code}`, () => {
      assert.equal(sentencesTakenApart(code).length, 1)
    })
})

describe('waits in tests are bounded by the one guard', () => {
  const TESTS = join(ROOT, 'test')
  const found = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'architecture.test.ts')
    .flatMap((file) => {
      const waits = literalWaits(readFileSync(join(TESTS, file), 'utf8'))
      return waits.map(({ line, text }) => ({ file, line, text }))
    })
  const exceptionsFor = ({ file, text }: { file: string; text: string }) =>
    WAIT_EXCEPTIONS.filter((one) => one.file === file && one.wait.test(text))

  it('has no length of its own, but for what is written down', () => {
    const wrong = found.filter((wait) => exceptionsFor(wait).length === 0)
    assert.deepEqual(
      wrong.map(({ file, line, text }) => `test/${file}:${line}: ${text}`),
      [],
      'wait for HANG_GUARD_MS (test/support/hang-guard.ts), or write down why not (literal-wait-exceptions.ts)',
    )
  })

  it('excepts nothing that is not there', () => {
    const used = new Set(found.flatMap(exceptionsFor))
    assert.deepEqual(
      WAIT_EXCEPTIONS.filter((one) => !used.has(one)),
      [],
    )
  })

  const waits = [
    'await delay(1_500)',
    'await sleep(100)',
    'setTimeout(resolve, 30_000)',
    'setTimeout(() => socket.destroy(new Error("late, (or not)")), 5 * 1_000)',
    'socket.setTimeout(10_000, () => socket.destroy())',
    'fetch(url, { signal: AbortSignal.timeout(3_000) })',
    'page.setDefaultTimeout(60_000)',
    'await page.waitForTimeout(500)',
    "it('ends', { timeout: 60_000 }, async () => {",
    'spawnSync(command, args, { timeoutMs: 120_000 })',
    'async function read(patienceMs = 5_000) {',
    'async function read(timeoutMs: number = 5_000) {',
    'new Client({ connectionTimeoutMillis: 2_000 })',
    'const PATIENCE_MS = 30_000',
    'const MAX_CALL_MS = 30 * 1_000',
    'const deadline = Date.now() + 20_000',
    'assert.ok(Date.now() - began < 5_000)',
    'while (performance.now() - startedAt <= 250) look()',
    'assert.ok(tookMs < 1_000)',
    'const SECOND_MS = 1_000\nawait delay(\n  2 * SECOND_MS + 500,\n)',
    'const REST_MS = 400\nconst options = { timeout: REST_MS }',
  ]
  for (const code of waits) {
    it(`finds ${JSON.stringify(code)}`, () => {
      assert.equal(literalWaits(`const before = 1\n${code}\n`).length, 1)
    })
  }

  const others = [
    'await delay(POLL_MS)',
    'await delay(5)',
    'setTimeout(resolve, 30)',
    'socket.setTimeout(HANG_GUARD_MS)',
    "it('ends', { timeout: HANG_GUARD_MS }, async () => {",
    'const deadline = Date.now() + HANG_GUARD_MS',
    'const LEASE_MS = 2 * HANG_GUARD_MS\nawait delay(LEASE_MS)',
    'const POLL_MS = 20\nawait delay(POLL_MS)',
    'new Date(Date.now() - 600_000)',
    'request_timeout_seconds: 300,',
    'await clock.pass(1_000)',
    '// await delay(1_500)',
    ' * `timeout: 5_000`',
    'const DAY_MS = 86_400_000',
    'const A_MS = B_MS\nconst B_MS = A_MS\nawait delay(A_MS)',
  ]
  for (const code of others) {
    it(`takes ${JSON.stringify(code)}`, () => {
      assert.deepEqual(literalWaits(`const before = 1\n${code}\n`), [])
    })
  }
})

function isAllowed(
  name: string,
  path: string,
  layer: string,
  allowed: { folders: string[]; packages: string[] },
): boolean {
  if (name.startsWith('node:')) return layer !== 'core' && layer !== 'contract'
  if (!name.startsWith('.')) return allowed.packages.includes(packageOf(name))
  const target = layerOf(relative(SRC, resolve(SRC, dirname(path), name)))
  return target === layer || allowed.folders.includes(target)
}

function usedNames({ path, imports }: Source): string[] {
  return imports.map((name) =>
    name.startsWith('.') ? layerOf(relative(SRC, resolve(SRC, dirname(path), name))) : packageOf(name),
  )
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Imports of types count, too: two files that know each other's types are read together or not at all. */
function findCycles(among: readonly Source[]): string[] {
  const edges = new Map(
    among.map(({ path, imports }) => {
      const own = imports.filter((name) => name.startsWith('.'))
      return [path, own.map((name) => join(dirname(path), name))]
    }),
  )
  const cycles: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === 'open') cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (state.has(path)) return
    state.set(path, 'open')
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    state.set(path, 'done')
  }
  for (const path of edges.keys()) visit(path, [])
  return cycles
}
