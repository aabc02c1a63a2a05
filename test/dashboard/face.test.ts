import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { translatorOf } from '../../src/core/language/service.ts'
import { addDashboard } from '../../src/pages/dashboard.ts'
import { FACE, readFace } from '../../src/pages/look/face.ts'
import { PAGE_HEADERS, page } from '../../src/pages/page.ts'

const DIST = resolve(import.meta.dirname, '../../dashboard/dist')
const MAX_LATIN_BYTES = 60_000
/** A sentence of each script that the service is read in; what is in none of the files would be in another face. */
const SENTENCES = {
  English: '5 monitors are down – “HTTP 503”, 12.5 ms · €3 × 4…',
  German: 'Die Überwachung läuft größtenteils störungsfrei',
  Polish: 'Zażółć gęślą jaźń',
  Czech: 'Příliš žluťoučký kůň úpěl ďábelské ódy',
  Turkish: 'Pijamalı hasta yağız şoföre çabucak güvendi',
  Greek: 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία',
  Russian: 'Съешь ещё этих мягких французских булок',
  Ukrainian: 'Жебракують філософи при ґанку церкви',
}

type Part = { file: string; bytes: number; ranges: string }

/** The files of the face, and the letters that each has. */
function parts(): Part[] {
  return [...FACE.rules.matchAll(/@font-face\s*\{[^}]*\}/g)].flatMap(([rule]) => {
    const path = /url\(["']?(\/assets\/[^"')]+)/.exec(rule)?.[1]
    if (path === undefined) return []
    const ranges = /unicode-range:\s*([^;}]+)/.exec(rule)?.[1] ?? ''
    return [{ file: path, bytes: readFileSync(join(DIST, path)).length, ranges }]
  })
}

function has(ranges: string, letter: string): boolean {
  const code = letter.codePointAt(0) as number
  return ranges.split(',').some((range) => {
    const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-')
    // Minifiers write U+300-3FF as U+3??.
    const [low, high] = [from.replaceAll('?', '0'), to.replaceAll('?', 'F')]
    return Number.parseInt(low, 16) <= code && code <= Number.parseInt(high, 16)
  })
}

describe('the face of the screens', () => {
  it('comes in parts by script, the latin one below 60 kB', () => {
    const scripts = parts().map(({ file }) => /inter-([a-z-]+)-wght-normal/.exec(file)?.[1])
    assert.deepEqual([...new Set(scripts)].sort(), ['cyrillic', 'greek', 'latin', 'latin-ext'])
    const latin = parts().find(({ file }) => file.includes('inter-latin-wght')) as Part
    assert.ok(latin.bytes > 20_000 && latin.bytes < MAX_LATIN_BYTES, `${latin.bytes} bytes`)
  })

  for (const [language, sentence] of Object.entries(SENTENCES)) {
    it(`has every letter of ${language}`, () => {
      const missing = [...sentence].filter((letter) => !parts().some(({ ranges }) => has(ranges, letter)))
      assert.deepEqual(missing, [])
    })
  }

  it('has the letters in each file that the package says', () => {
    const package_ = createRequire(import.meta.url)('@fontsource-variable/inter/unicode.json')
    const said = readFileSync(join(DIST, '../face.css'), 'utf8').matchAll(
      /inter-([a-z-]+)-wght[^;]*;\s*unicode-range:\s*([^;]+);/g,
    )
    for (const [, script, ranges] of said) {
      assert.equal((ranges as string).replaceAll(/\s+/g, ''), package_[script as string], `${script}`)
    }
  })

  it('is asked for with the page, and never again', async () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8')
    assert.ok(page.indexOf(FACE.preload) > 0 && page.indexOf(FACE.preload) < page.indexOf('rel="stylesheet"'))
    const path = /href="([^"]+)"/.exec(FACE.preload)?.[1] ?? ''
    assert.match(path, /inter-latin-wght/)
    const app = new Hono()
    addDashboard(app, DIST)
    const answer = await app.request(path)
    assert.equal(answer.headers.get('content-type'), 'font/woff2')
    assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    assert.match(answer.headers.get('content-security-policy') ?? '', /font-src 'self'/)
  })

  it('is the same file on pages that the service writes itself', async () => {
    const written = String(await page(translatorOf('en'), 'Set up', '/docs', '' as never))
    assert.ok(written.includes(FACE.preload))
    for (const { file } of parts()) assert.ok(written.includes(file), file)
    assert.match(PAGE_HEADERS['content-security-policy'], /font-src 'self'/)
  })

  it('never moves what is read: a late face waits for the next page, and the one in its place is as wide', () => {
    assert.equal(FACE.rules.match(/font-display:\s*optional/g)?.length, parts().length)
    assert.match(FACE.rules, /Inter Fallback[^}]*size-adjust/)
  })

  it('is the system’s where the dashboard is not built', () => {
    assert.deepEqual(readFace(join(DIST, 'nowhere')), { rules: '', preload: '' })
  })
})
