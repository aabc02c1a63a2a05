import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

const glossary = readFileSync(join(ROOT, 'GLOSSARY.md'), 'utf8')

const wordsIn = (text: string) => [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, word]) => word as string)

const sources = globSync('{src,dashboard}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['dashboard/{dist,node_modules}'],
}).map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

describe('GLOSSARY.md', () => {
  it('says each word in one line, once', () => {
    const lines = glossary.split('\n').filter((line) => line.startsWith('- '))
    assert.ok(lines.length > 50)
    for (const line of lines) assert.match(line, /^- \*\*[a-z][a-z -]+\*\*: .+\.$/)
    const words = wordsIn(glossary)
    assert.deepEqual([...new Set(words)], words)
  })

  it('has only words that the code uses as a name', () => {
    const declared =
      /\b(?:const|let|function\*?|class|type) (\w+)|^\s+(?:async |readonly )?(\w+)(?=\??[:(,])/gm
    const names = sources.flatMap(({ file, text }) => [
      parse(file).name,
      ...[...text.matchAll(declared)].map(([, name, property]) => name ?? property ?? ''),
    ])
    const text = `\n${[...new Set(names)].map(wordsOf).join('\n')}\n`
    const unused = wordsIn(glossary).filter((word) => {
      const name = word.replaceAll('-', ' ').replaceAll(/y\b/g, '(?:y|ie)')
      return !new RegExp(`(?<=[\\n ])${name}s?(?=[\\n ])`).test(text)
    })
    assert.deepEqual(unused, [])
  })
})

describe('the names of types', () => {
  it('stand once in src', () => {
    const exported = sources
      .filter(({ file }) => file.startsWith('src/'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm)].map(([, name]) => ({
          name: name as string,
          file,
        })),
      )
    const doubles = [...Map.groupBy(exported, ({ name }) => name)].filter(([, places]) => places.length > 1)
    assert.deepEqual(
      doubles.map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`),
      [],
    )
  })
})

/** At the beginning of any line of a comment, for they name nothing. */
const NO_SUBJECT = /^\s*(?:\/\*\*|\*|\/\/) (?:What|Who|Whoever|Whatever|Nobody|Somebody)\b.*/gm
/** At the beginning of a comment; a sentence within may lean on the one before it. */
const FRAGMENT = /^(?=\s*(?:\/\*\*?\s+(?:\* )?|\/\/ )(?:Of|By|So|Rather)\b)(?<!^\s*\/\/.*\n)\s*\S.*/gm

describe('comments', () => {
  it('begin with their subject', () => {
    const code = globSync('{src,dashboard,test,bench,bin,deploy}/**/*.{ts,tsx,mjs}', {
      cwd: ROOT,
      exclude: ['dashboard/{dist,node_modules}'],
    })
    const found = code.flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      return [NO_SUBJECT, FRAGMENT].flatMap((pattern) =>
        [...text.matchAll(pattern)].map(([line]) => `${file}: ${line.trim()}`),
      )
    })
    assert.deepEqual(found, [])
  })
})

/** `responseTimeMs`, `response_time_ms` and `response-time-ms` as `response time ms`. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .trim()
    .toLowerCase()
}
