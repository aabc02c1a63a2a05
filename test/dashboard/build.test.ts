import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { addDashboard } from '../../src/pages/dashboard.ts'
import { SCREENS } from '../support/browser/role-screens.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DASHBOARD = join(ROOT, 'dashboard')
const DIST = join(DASHBOARD, 'dist')
const MAX_FILE_LINES = 400
/** The script before the first screen is there, gzipped. */
const MAX_FIRST_SCRIPT_BYTES = 200_000

const sources = readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|tsx)$/.test(file) && !/^dist\b|vite\.config/.test(file))
  .map((file) => ({ path: file, text: readFileSync(join(DASHBOARD, file), 'utf8') }))

describe('the sources of the dashboard', () => {
  it('import from the rest what is true and what can be asked, and nothing else', () => {
    const wrong = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
        .map(([, name]) => relative(ROOT, resolve(DASHBOARD, dirname(path), name as string)))
        .filter((target) => !/^(dashboard|src\/core|src\/contract)\//.test(target))
        .map((target) => `${path}: ${target}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('use no module of Node', () => {
    assert.deepEqual(
      sources.filter(({ text }) => /from 'node:/.test(text)).map(({ path }) => path),
      [],
    )
  })

  it('never lead to Temporal, which not every browser has, and to the library of RRULEs', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      // Imports of types are not in the page.
      const text = readFileSync(file, 'utf8').replaceAll(/^import type .*?from '.*?'$/gms, '')
      for (const [, name] of text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)) {
        visit(resolve(dirname(file), name as string))
      }
    }
    for (const { path } of sources) visit(join(DASHBOARD, path))
    const core = [...reached].filter((file) => file.includes('/src/core/'))
    assert.ok(core.length > 20)
    const wrong = core.filter((file) => /\bTemporal\.|'rrule-temporal'/.test(readFileSync(file, 'utf8')))
    assert.deepEqual(
      wrong.map((file) => relative(ROOT, file)),
      [],
    )
  })

  it('lead to the documentation where the operator has put it, not to a path of ours', () => {
    assert.deepEqual(
      sources.filter(({ text }) => /href=["'{`]+\/docs/.test(text)).map(({ path }) => path),
      [],
    )
  })

  it('are short', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > MAX_FILE_LINES)
    assert.deepEqual(
      long.map(({ path }) => path),
      [],
    )
  })
})

describe('the built dashboard', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')

  it('reads the texts of a language before any file that shows some', () => {
    const early = new Set<string>()
    const visit = (name: string): void => {
      if (early.has(name)) return
      early.add(name)
      const text = readFileSync(join(DIST, 'assets', name), 'utf8')
      for (const [, imported] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) visit(imported as string)
    }
    const texts = readdirSync(join(DIST, 'assets')).filter((name) => /^dashboard-.*\.js$/.test(name))
    assert.equal(texts.length, 1)
    texts.forEach(visit)
    assert.deepEqual(
      [...early].filter((name) => name.startsWith('start-')),
      [],
    )
  })

  it('loads less than 200 kB of script, gzipped, before its first screen', () => {
    const first = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => path as string)
    assert.ok(first.length >= 2, page)
    const bytes = first.map((path) => gzipSync(readFileSync(join(DIST, path))).length)
    const total = bytes.reduce((sum, size) => sum + size, 0)
    assert.ok(total < MAX_FIRST_SCRIPT_BYTES, `${total} bytes: ${first.join(', ')}`)
  })

  it('has no script or style inside its page, and nothing from elsewhere', () => {
    assert.doesNotMatch(page, /<style|<script(?![^>]*\bsrc=)|https?:\/\/|\son\w+=/)
  })

  it('is served to every screen with a policy that allows our own files only', async () => {
    const app = new Hono()
    assert.equal(addDashboard(app, DIST), true)
    for (const path of Object.keys(SCREENS).map((route) => route.replace(/\$\w+/g, '1'))) {
      const answer = await app.request(path)
      assert.equal(answer.status, 200, path)
      assert.equal(await answer.text(), page)
      assert.equal(answer.headers.get('cache-control'), 'no-cache')
      const policy = answer.headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    }
    assert.equal((await app.request('/teams')).status, 404)
  })

  it('has files that are compressed as the browser can read them, and never asked for again', async () => {
    const app = new Hono()
    addDashboard(app, DIST)
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
    const plain = await (await app.request(script)).text()
    for (const encoding of ['br', 'gzip']) {
      const answer = await app.request(script, { headers: { 'accept-encoding': `${encoding}, deflate` } })
      assert.equal(answer.headers.get('content-encoding'), encoding)
      assert.equal(answer.headers.get('vary'), 'accept-encoding')
      assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
      assert.equal(await decompressed(answer, encoding), plain)
    }
    const { headers } = await app.request('/')
    const again = await app.request('/', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    assert.equal(again.status, 304)
  })

  it('can be installed: its manifest and icons are there, each of its type and size', async () => {
    const app = new Hono()
    addDashboard(app, DIST)
    const [, address = ''] = /rel="manifest" href="([^"]+)"/.exec(page) ?? []
    const manifest = await app.request(address)
    assert.match(manifest.headers.get('content-type') ?? '', /^application\/manifest\+json/)
    assert.equal(manifest.headers.get('cache-control'), 'no-cache')
    const { name, start_url, scope, display, icons } = (await manifest.json()) as Manifest
    assert.deepEqual([name, start_url, scope, display], ['Upbeat', '/', '/', 'standalone'])
    const [, touch = ''] = /rel="apple-touch-icon" href="([^"]+)"/.exec(page) ?? []
    const pictures = icons.filter(({ type }) => type === 'image/png')
    for (const { src, sizes } of [...pictures, { src: touch, sizes: '180x180' }]) {
      const icon = await app.request(src)
      assert.equal(icon.headers.get('content-type'), 'image/png', src)
      const bytes = Buffer.from(await icon.arrayBuffer())
      assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src)
    }
    const sizesOf = (purpose: string) =>
      pictures.filter((icon) => (icon.purpose ?? 'any') === purpose).map(({ sizes }) => sizes)
    assert.deepEqual(sizesOf('any'), ['192x192', '512x512'])
    assert.deepEqual(sizesOf('maskable'), ['192x192', '512x512'])
  })

  it('has a service worker that changes with any of its files, and names those of the first screen', async (t) => {
    const workerOf = async (folder: string) => {
      const app = new Hono()
      addDashboard(app, folder)
      const answer = await app.request('/service-worker.js')
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/)
      assert.equal(answer.headers.get('cache-control'), 'no-cache')
      assert.match(
        answer.headers.get('content-security-policy') ?? '',
        /connect-src 'self'.*worker-src 'self'/,
      )
      const [, build = ''] = /^const BUILD = (.*)$/m.exec(await answer.text()) ?? []
      const { version, files } = JSON.parse(build) as { version: string; files: string[] }
      for (const path of files) assert.equal((await app.request(path)).status, 200, path)
      return { version, files }
    }
    const folder = temporaryFolder(t)
    cpSync(DIST, folder, { recursive: true })
    const [before, copied] = [await workerOf(DIST), await workerOf(folder)]
    assert.equal(copied.version, before.version, 'all processes serve the same')
    assert.ok(before.files.includes('/') && before.files.some((path) => /^\/assets\/.*\.js$/.test(path)))
    writeFileSync(join(folder, 'theme.js'), '// another')
    assert.notEqual((await workerOf(folder)).version, before.version)
  })

  it('is read when it is first asked for, and kept then', async (t) => {
    const folder = temporaryFolder(t)
    cpSync(DIST, folder, { recursive: true })
    const app = new Hono()
    addDashboard(app, folder)
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
    for (const path of ['/theme.js', script]) {
      writeFileSync(join(folder, path), '// before the first request')
      assert.equal(await (await app.request(path)).text(), '// before the first request')
      writeFileSync(join(folder, path), '// after it')
      assert.equal(await (await app.request(path)).text(), '// before the first request')
    }
    assert.equal((await app.request('/assets/none.js')).status, 404)
  })

  it('is not there when it was never built', async () => {
    assert.equal(addDashboard(new Hono(), join(DIST, 'nowhere')), false)
  })
})

type Manifest = {
  name: string
  start_url: string
  scope: string
  display: string
  icons: { src: string; sizes: string; type: string; purpose?: string }[]
}

async function decompressed(answer: Response, encoding: string): Promise<string> {
  const { brotliDecompressSync, gunzipSync } = await import('node:zlib')
  const packed = Buffer.from(await answer.arrayBuffer())
  return (encoding === 'br' ? brotliDecompressSync(packed) : gunzipSync(packed)).toString()
}
