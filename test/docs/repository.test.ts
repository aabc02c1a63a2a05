import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const MAX_WORDS = { 'ARCHITECTURE.md': 1_500, 'CONTRIBUTING.md': 1_800 }
/** The lines that a window shows on an ordinary screen. */
const MAX_TREE_LINES = 55
const MAX_TREE_COLUMNS = 125

/** Where paths begin, in full or below src. */
const OUTER_FOLDERS = ['.', 'src'].flatMap((place) => readdirSync(join(ROOT, place)))

const WHY = 'docs/why'
const WHY_HEADINGS = ['Decision', 'What was tried and measured', 'Rules', 'What would change it']

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const whyPages = readdirSync(join(ROOT, WHY)).map((file) => `${WHY}/${file}`)
/** The texts for people who change the code. The service shows the others, and follows their links itself. */
const texts = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', ...whyPages].map((file) => ({
  file,
  text: read(file),
}))

describe('the texts for people who change the code', () => {
  it('link to files and headings that exist', () => {
    const wrong = texts.flatMap(({ file, text }) =>
      [...prose(text).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)]
        .map(([, link]) => link as string)
        .filter((link) => !leadsSomewhere(file, link))
        .map((link) => `${file}: ${link}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('name paths that exist', () => {
    const wrong = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/`((\w[\w-]*)\/[\w./*-]+)`/g)]
        .filter(([, , outer = '']) => OUTER_FOLDERS.includes(outer))
        .map(([, named]) => named as string)
        .filter((named) => !exists(named) && !exists(`src/${named}`))
        .map((named) => `${file}: ${named}`),
    )
    assert.deepEqual(wrong, [])
  })

  for (const [file, most] of Object.entries(MAX_WORDS)) {
    it(`need no more than ${most} words in ${file}`, () => {
      const words = read(file).split(/\s+/).length
      assert.ok(words < most, `${words} words`)
    })
  }
})

describe('README.md', () => {
  const [head = '', ...parts] = read('README.md').split(/^## /m)

  it('shows the product before anything else, in three pictures', () => {
    const pictures = [...head.matchAll(/!\[[^\]]{20,}\]\((docs\/images\/[\w-]+\.png)\)/g)].map(
      ([, file]) => file,
    )
    assert.deepEqual(
      pictures,
      ['overview', 'status-page', 'on-call'].map((name) => `docs/images/${name}.png`),
    )
    assert.doesNotMatch(head, /Telegram/)
  })

  it('has one line for containers, and the channels near its end', () => {
    const lines = parts.map(
      (part) => part.split('\n').filter((line) => line.includes('docker compose')).length,
    )
    assert.deepEqual([lines[0], lines.reduce((sum, count) => sum + count, 0)], [1, 1])
    const place = parts.findIndex((part) => part.includes('Alerts go by'))
    assert.ok(place >= parts.length - 2, `in part ${place} of ${parts.length}`)
  })
})

describe('the changelog', () => {
  const [, ...versions] = read('CHANGELOG.md').split(/^## /m)
  const datesOf = (version: string) =>
    [...version.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading as string)

  it('begins with what is not released, and goes back by version', () => {
    const [first, ...others] = versions.map((version) => version.split('\n')[0] as string)
    assert.equal(first, 'Unreleased')
    assert.deepEqual(
      others.filter((name) => !/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/.test(name)),
      [],
    )
  })

  it('has each date once, the newest first', () => {
    const dates = versions.flatMap(datesOf)
    assert.deepEqual(
      dates.filter((date) => !/^\d{4}-\d{2}-\d{2}$/.test(date)),
      [],
    )
    assert.deepEqual(dates, [...new Set(dates)].sort().reverse())
  })
})

describe('the tree in ARCHITECTURE.md', () => {
  const tree = /^## The tree\n+```text\n(.*?)^```/ms.exec(read('ARCHITECTURE.md'))?.[1] ?? ''

  it('fits one screen', () => {
    const lines = tree.trimEnd().split('\n')
    assert.ok(lines.length > 1 && lines.length <= MAX_TREE_LINES, `${lines.length} lines`)
    assert.deepEqual(
      lines.filter((line) => [...line].length > MAX_TREE_COLUMNS),
      [],
    )
  })

  it('has every layer and room', () => {
    const drawn = new Set([...tree.matchAll(/([\w-]+)\//g)].map(([, name]) => name))
    const missing = ['src/*/', 'src/*/*/', 'dashboard/*/', 'dashboard/{parts,screens}/*/']
      .flatMap((pattern) =>
        globSync(pattern, { cwd: ROOT, exclude: ['dashboard/{dist,public,node_modules}'] }),
      )
      .filter((folder) => !drawn.has(posix.basename(folder)))
    assert.deepEqual(missing, [])
  })
})

describe('the pages about decisions', () => {
  const index = read(`${WHY}/README.md`)

  for (const file of whyPages.filter((page) => !page.endsWith('/README.md'))) {
    it(`are complete: ${file}`, () => {
      const text = read(file)
      assert.match(text, /^# .+\n\nDecided 20\d\d-\d\d-\d\d\b/)
      assert.deepEqual(
        [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
        WHY_HEADINGS,
      )
      assert.ok(index.includes(`(${posix.basename(file)})`), 'the index lists it')
    })
  }
})

function exists(path: string): boolean {
  return globSync(path, { cwd: ROOT }).length > 0
}

/** Examples are no links of ours. */
function prose(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : posix.join(posix.dirname(from), path)
  if (!existsSync(join(ROOT, target))) return false
  return anchor === undefined || anchorsOf(read(target)).has(anchor)
}

/** As GitHub makes them of headings; the documentation's own `{#name}` wins. */
function anchorsOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+?)(?: \{#([\w-]+)\})?$/gm)].map(
      ([, heading = '', own]) =>
        own ??
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
    ),
  )
}
