import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../../src/core/language/language.ts'
import { PageLanguage } from '../../src/core/language/page-languages.ts'
import { argumentsOf, callsOf, textsOf } from '../support/documents/screen-texts.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SCREENS = textsOf(ROOT, 'dashboard/**/*.{ts,tsx}')
const CORE = callsOf(ROOT, 'src/core/**/*.ts')
const SERVICE = callsOf(ROOT, 'src/{alerts,api,contract,imports,operations,pages,store}/**/*.ts')
const CALLS = [...SCREENS.calls, ...CORE, ...SERVICE]
/** The texts of public pages, which speak more languages than the rest. */
const OF_PAGES = CORE.filter(({ file }) => file.startsWith('src/core/status-pages/words/'))
const OTHERS = PageLanguage.options.filter((language) => language !== 'en')

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
  return globSync('**/*.json', { cwd: folder }).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return { name, text, entries: Object.entries<string>(JSON.parse(text)) }
  })
}

describe('the texts of the dashboard, of pages and of mails', () => {
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

  it('are in no other language', () => {
    const folders = globSync('*/', { cwd: join(ROOT, 'src/core/language') })
    assert.deepEqual(folders.sort(), [...OTHERS].sort())
  })

  for (const language of OTHERS) {
    const files = filesOf(language)
    const texts = new Map(files.flatMap(({ entries }) => entries))
    const calls = language in LANGUAGES ? CALLS : OF_PAGES
    const english = new Map(calls.map(({ key, text }) => [key, text]))

    it(`are there in ${language}, and no others`, () => {
      assert.deepEqual(
        {
          missing: [...english.keys()].filter((key) => !texts.has(key)),
          unused: [...texts.keys()].filter((key) => !english.has(key)),
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
        calls.filter(({ values }) => values === null || values.length > 0).map(({ key }) => key),
      )
      for (const [key, translated] of texts) {
        assert.notEqual(translated.trim(), '', key)
        const text = english.get(key) ?? key
        if (formatted.has(key)) assert.deepEqual(argumentsOf(translated), argumentsOf(text), translated)
      }
    })
  }
})
