import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../../src/core/language/language.ts'
import { argumentsOf, textsOf } from '../support/documents/screen-texts.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SCREENS = textsOf(ROOT, 'dashboard/**/*.{ts,tsx}')
const CORE = textsOf(ROOT, 'src/core/**/*.ts')
const SERVICE = textsOf(ROOT, 'src/{alerts,operations,pages}/**/*.ts')
const CALLS = [...SCREENS.calls, ...CORE.calls, ...SERVICE.calls]
const OTHERS = Object.keys(LANGUAGES).filter((language) => language !== 'en')

/** Files with names and commands of other programs. */
const OF_PROGRAMS = ['dashboard/data/user-agent.ts', 'dashboard/screens/servers/install-lines.ts']

/** Texts that are the same in every language, and titles of problems, which no screen shows. */
const SAME = new Set([
  'Upbeat',
  'HTTP',
  'SMTP_URL',
  'SITE_URL=',
  'Bearer …',
  '/setup#…',
  'Ctrl ',
  'Ctrl K',
  'Notification',
  'No alerts',
  'Passkey',
  'No response',
  'Unauthorized',
  'Not Found',
  '…, … – ……',
  'size-4.5 accent-accent align-middle',
])

/** The files of a language, each with its texts. */
function filesOf(language: string) {
  const folder = join(ROOT, 'src/core/language', language)
  return globSync('*.json', { cwd: folder }).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return { name, text, entries: Object.entries<string>(JSON.parse(text)) }
  })
}

describe('the texts of the dashboard', () => {
  it('are all written so that they can be translated', () => {
    const found = SCREENS.unwrapped.filter(({ file, text }) => !OF_PROGRAMS.includes(file) && !SAME.has(text))
    assert.deepEqual(
      found.map(({ file, line, text }) => `${file}:${line} ${text}`),
      [],
    )
  })

  it('get the values that they take', () => {
    const wrong = CALLS.flatMap(({ file, line, text, values }) => {
      if (values === null || values.length === 0) return []
      const taken = argumentsOf(text).map((name) => name.replace(/[<>]/g, ''))
      return taken.sort().join() === [...values].sort().join() ? [] : [`${file}:${line} ${text} ← ${values}`]
    })
    assert.deepEqual(wrong, [])
  })

  for (const language of OTHERS) {
    const files = filesOf(language)
    const texts = new Map(files.flatMap(({ entries }) => entries))

    it(`are there in ${language}, and no others`, () => {
      const used = new Set(CALLS.map(({ text }) => text))
      assert.deepEqual(
        {
          missing: [...used].filter((text) => !texts.has(text)),
          unused: [...texts.keys()].filter((text) => !used.has(text)),
        },
        { missing: [], unused: [] },
      )
    })

    it(`stand in one file of ${language}, in order`, () => {
      const seen = new Set<string>()
      for (const { name, entries } of files) {
        const keys = entries.map(([key]) => key)
        assert.deepEqual(keys, [...keys].sort(), name)
        assert.deepEqual(
          keys.filter((key) => seen.has(key)),
          [],
          name,
        )
        for (const key of keys) seen.add(key)
      }
    })

    it(`take the same values in ${language}`, () => {
      const formatted = new Set(
        CALLS.filter(({ values }) => values === null || values.length > 0).map(({ text }) => text),
      )
      for (const [text, translated] of texts) {
        assert.notEqual(translated.trim(), '', text)
        if (formatted.has(text)) assert.deepEqual(argumentsOf(translated), argumentsOf(text), translated)
      }
    })
  }
})
