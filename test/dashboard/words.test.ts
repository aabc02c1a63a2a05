import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Checked, type Phases, phasesOf } from '../../dashboard/data/phases.ts'
import { repairLocale } from '../../dashboard/language/repair-locale.ts'
import { languageFor, localeFor } from '../../src/core/language/language.ts'

describe('the language of a browser', () => {
  const cases: [languages: string[], language: string, locale: string, ago: string][] = [
    [['de-AT', 'en'], 'de', 'de-AT', 'vor 29 Minuten'],
    [['DE'], 'de', 'DE', 'vor 29 Minuten'],
    [['fr', 'de', 'en-US'], 'de', 'de', 'vor 29 Minuten'],
    [['fr'], 'en', 'en-GB', '29 minutes ago'],
    [['ja-JP', 'en-US'], 'en', 'en-US', '29 minutes ago'],
    [['den', 'english'], 'en', 'en-GB', '29 minutes ago'],
    [['en-US@posix'], 'en', 'en-GB', '29 minutes ago'],
    [['en-'], 'en', 'en-GB', '29 minutes ago'],
    [[''], 'en', 'en-GB', '29 minutes ago'],
    [[], 'en', 'en-GB', '29 minutes ago'],
  ]
  for (const [languages, language, locale, ago] of cases) {
    it(`is ${language}, with dates of ${locale}, where it wants ${languages.join(', ') || 'none'}`, () => {
      const chosen = languageFor(languages)
      assert.equal(chosen, language)
      assert.equal(localeFor(chosen, languages), locale)
      assert.equal(new Intl.RelativeTimeFormat(localeFor(chosen, languages)).format(-29, 'minute'), ago)
    })
  }

  it('is one that Intl takes, where libraries ask for it', () => {
    // As a browser has it: inherited, and not to be set.
    const browserOf = (language: string) =>
      Object.create({
        get language() {
          return language
        },
      })
    const languageOf = (browser: { language: string }) => {
      repairLocale(browser, 'en-GB')
      return new Intl.NumberFormat(browser.language).resolvedOptions().locale
    }
    assert.deepEqual(['en-US@posix', '', 'de-AT'].map(browserOf).map(languageOf), ['en-GB', 'en-GB', 'de-AT'])
  })
})

describe('the phases of a check', () => {
  const phases = (...ms: (number | null)[]): Phases => {
    const [dns_ms = null, connect_ms = null, tls_ms = null, first_byte_ms = null, transfer_ms = null] = ms
    return { dns_ms, connect_ms, tls_ms, first_byte_ms, transfer_ms }
  }
  const plain: Checked = { type: 'http', target: 'http://shop.example' }
  const secure: Checked = { type: 'http', target: 'https://shop.example' }
  const cases: [what: string, of: Checked, status: 'up' | 'down', phases: Phases, shown: string][] = [
    ['one over plain http that passed', plain, 'up', phases(1, 2, null, 3), 'dns connect first_byte'],
    ['one over TLS that passed', secure, 'up', phases(1, 2, 3, 4), 'dns connect tls first_byte'],
    ['one over plain http that got no connection', plain, 'down', phases(1), 'dns connect first_byte'],
    ['one over TLS that got no connection', secure, 'down', phases(1), 'dns connect tls first_byte'],
    ['one of a redirect to TLS', plain, 'up', phases(1, 2, 3, 4), 'dns connect tls first_byte'],
    ['one of a port', { type: 'tcp', target: 'db:5432' }, 'down', phases(1), 'dns connect'],
    [
      'one of a page',
      { ...secure, type: 'keyword' },
      'down',
      phases(1, 2, 3, 4),
      'dns connect tls first_byte transfer',
    ],
    ['one of an address', plain, 'up', phases(null, 2, null, 3), 'connect first_byte'],
  ]
  for (const [what, of, status, measured, shown] of cases) {
    it(`of ${what}: ${shown}`, () => {
      const names = phasesOf(of, { status, phases: measured })
      assert.equal(names.map((name) => name.replace('_ms', '')).join(' '), shown)
    })
  }
})

const ROOT = join(import.meta.dirname, '../..')

/** Turns that read as translated, and what the field says instead. */
const TURNS: [turn: RegExp, better: string][] = [
  [/\b(?:who|(?:is|are|be|was|were)) told\b(?! apart)/i, 'alerts go to, is notified'],
  [/\b(?:is|are|to be) (?:being )?watched\b/i, 'monitor'],
  [/\bwhoever\b/i, 'anyone who, people who, the operator'],
  [/\b(?:somebody|anybody|everybody)\b/i, 'someone, anyone, everyone'],
  [/(?<!`)\bnobody\b(?!`)/i, 'no one'],
  [
    /\b(?:is|are|not|works?|see|sees|checked|signs? in|gets? in) no more\b(?! than)|\bany more\b/i,
    'no longer',
  ],
  [/\bof (?:yours|mine)\b/i, 'your'],
  [/\bfor (?:ever|good)\b/i, 'forever, permanently'],
  [/\bis (?:a )?no member\b/i, 'is not a member'],
  [/\b(?:will )?stands? (?:here|there|in|below|at)\b/i, 'appears, is listed'],
  [/\blet in\b/i, 'connect'],
  [/\bmakes? (?:an account|a team|the first account)\b/i, 'create'],
]

/** A statement that begins with its question word; questions to the reader are fine. */
const HEADLESS = /(?:^|['"`>]|[.:;!]) ?(?:Who|Whoever|What|Whatever) [^?.'"`<{]*(?:[.'"`<{]|$)/g

function findTurns(text: string): string[] {
  const turns = TURNS.flatMap(([turn, better]) => {
    const found = turn.exec(text)
    return found ? [`"${found[0]}": ${better}`] : []
  })
  return [
    ...turns,
    ...(text.match(HEADLESS) ?? []).map((found) => `"${found.trim()}": begin with the subject`),
  ]
}

type Text = [name: string, text: string]

/** On one line, because sentences wrap. */
function textOf(name: string, clean: (source: string) => string): Text {
  return [name, clean(readFileSync(join(ROOT, name), 'utf8')).replace(/\s+/g, ' ')]
}

function textsIn(folder: string, ending: RegExp, clean: (source: string) => string): Text[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file) && !/(^|[\\/])(dist|node_modules)[\\/]/.test(file))
    .map((file) => textOf(join(folder, file), clean))
}

const withoutComments = (source: string) =>
  source.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/ .*$/gm, '')
/** Rows of tables and items in lower case hold the wordings of causes and imports, which others test. */
const prose = (page: string) => page.replace(/^```.*?^```/gms, '').replace(/^(?:\||#|- [a-z]).*$/gm, '')

/** A time that is written as how long ago it is, in the place of a moment. */
const SINCE_AN_AGE = /[Ss]ince \{(\w+)\}[^`]{0,200}?\b\1: <Time at=\{[^}]*\} \/>/g

describe('texts that people read', () => {
  it('are searched for turns and for sentences without a subject', () => {
    const found = (text: string) => findTurns(text).length
    assert.equal(found("'Choose who is told'"), 1)
    assert.equal(found('> Whoever knows the address can ping.<'), 2)
    assert.equal(found("'What is shown here is a moment old.'"), 1)
    assert.equal(found("'Who should we alert when it goes down?'"), 0)
    assert.equal(found('Alerts go to every contact of the team.'), 0)
  })

  const places: [what: string, texts: () => Text[]][] = [
    ['the screens', () => textsIn('dashboard', /\.tsx?$/, withoutComments)],
    ['the pages outside the dashboard', () => textsIn('src/pages', /\.ts$/, withoutComments)],
    [
      'the documentation',
      () => [...textsIn('docs', /\.md$/, prose), textOf('README.md', prose), textOf('SECURITY.md', prose)],
    ],
  ]
  for (const [what, texts] of places) {
    it(`of ${what} have none`, () => {
      const all = texts()
      assert.ok(all.length > 10)
      assert.deepEqual(
        all.flatMap(([name, text]) => findTurns(text).map((turn) => `${name}: ${turn}`)),
        [],
      )
    })
  }

  it('have one name for one thing: what examines is a check, also of a site', () => {
    const old = /\b(?:Look now|Next look|Last look|Most pages of a crawl|None leads nowhere|The reader’s)\b/g
    assert.equal('Look now'.match(old)?.length, 1)
    const all = [
      ...textsIn('dashboard', /\.tsx?$/, withoutComments),
      ...textsIn('src/core', /\.ts$/, withoutComments),
    ]
    assert.deepEqual(
      all.flatMap(([name, text]) => (text.match(old) ?? []).map((one) => `${name}: ${one}`)),
      [],
    )
  })

  it('never say since an age, as in “since 6 minutes ago”', () => {
    const said = (text: string) => [...text.matchAll(SINCE_AN_AGE)].map(([whole]) => whole)
    assert.equal(said("rich('Down since {time}.', { time: <Time at={since} /> })").length, 1)
    assert.equal(said(`rich('Since {time}', { time: <Time at={since} as="date" /> })`).length, 0)
    const all = textsIn('dashboard', /\.tsx$/, withoutComments)
    assert.deepEqual(
      all.flatMap(([name, text]) => said(text).map((one) => `${name}: ${one}`)),
      [],
    )
  })
})
