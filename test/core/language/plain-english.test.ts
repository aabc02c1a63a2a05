import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import * as z from 'zod'
import { accountContract } from '../../../src/contract/accounts.ts'
import { allOperations } from '../../../src/contract/contract.ts'
import { ContactConfigs } from '../../../src/core/alerting/contact-types.ts'
import { DASHBOARD } from '../../../src/core/language/de/dashboard.ts'
import { fieldAt } from '../../../src/core/language/fields.ts'
import { EMPTY, PLAIN_ENGLISH } from '../../../src/core/language/plain-english.ts'
import { about, said } from '../../../src/core/language/said.ts'
import { createSayer } from '../../../src/core/language/sayer.ts'
import { ENGLISH } from '../../../src/core/language/translate.ts'
import { callsOf, textsOf } from '../../support/documents/screen-texts.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const sayer = createSayer(ENGLISH)

/** Names of JSON, and of its values and shapes, which no screen shows. */
const RAW = /(?<![\w{.])[a-z]+_[a-z_]+(?![\w}])|\b(?:null|true|false|array|object|string|integer|boolean)\b/

/** Sentences that only programs get, and such with names that people know. */
const FOR_PROGRAMS =
  /\b(?:client_id|redirect_uris?|grant_types|response_types|code_challenge|kuma|json|object|cron|BY[A-Z]+|FREQ|check_interval_seconds|config\.yaml|@|smtp)\b/i

const calls = callsOf(ROOT, 'src/{core,operations,store}/**/*.ts')

/** Placeholders are not words. */
const wordsOf = (text: string) => text.replaceAll(/\{[^{}]*\}/g, '')

describe('what people read of a refusal in English', () => {
  it('has a sentence of its own where that of the API names fields or shapes of JSON', () => {
    const rules = calls.filter(({ text }) => /^[a-z]/.test(text) && text.includes(' '))
    assert.ok(rules.length > 300, String(rules.length))
    const raw = rules.filter(
      ({ text }) => RAW.test(wordsOf(PLAIN_ENGLISH[text] ?? text)) && !FOR_PROGRAMS.test(text),
    )
    assert.deepEqual([...new Set(raw.map(({ file, text }) => `${file}: ${text}`))], [])
  })

  it('is of a sentence that the API has, with its values alone', () => {
    const known = new Set(calls.map(({ text }) => text))
    const valuesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const [text, plain] of Object.entries(PLAIN_ENGLISH)) {
      assert.ok(known.has(text), `nothing says: ${text}`)
      for (const name of valuesOf(plain)) assert.ok(valuesOf(text).includes(name), plain)
    }
    for (const text of EMPTY) assert.ok(known.has(text), `nothing says: ${text}`)
  })

  const table: [sentence: string, at: string | null, shown: string][] = [
    ['at its field', 'url', 'Enter a URL'],
    ['at its field', 'title', 'Enter a title'],
    ['at its field', 'email', 'Enter an e-mail address'],
    ['at its field', 'role', 'Choose a role'],
    ['at its field', 'layers.0.rotation', 'Choose the order of turns'],
    ['at its field', 'expected_keyword', 'Enter the expected text'],
    ['out of sight', 'config.webhook_url', 'Enter a webhook URL'],
    ['out of sight', 'redirect_uris.0', 'redirect_uris.0 is required'],
  ]
  for (const [place, field, shown] of table)
    it(`asks ${place} for ${field}: ${shown}`, () => {
      const fault = said('is required')
      const text =
        place === 'at its field'
          ? sayer.sayFault(fault, String(field))
          : sayer.sayFaultOf(fault, String(field))
      assert.equal(text, shown)
    })

  it('names fields as people do, at their place, elsewhere, and inside a sentence', () => {
    const fault = said('must be an https URL, got {got}', { got: '"x"' })
    assert.equal(sayer.sayFault(fault, 'config.webhook_url'), 'Must be an https URL, not "x"')
    assert.equal(
      sayer.sayFaultOf(fault, 'config.webhook_url'),
      'The webhook URL must be an https URL, not "x"',
    )
    assert.equal(
      sayer.say(about('config.webhook_url', fault)),
      'The webhook URL must be an https URL, not "x"',
    )
    const faults = { 'config.webhook_url': [fault], 'participants.3.name': [said('is required')] }
    assert.equal(
      sayer.sayRefusal({ said: null, faults, message: '' }),
      '2 fields are invalid: the webhook URL, the name.',
    )
    const typed = said('is required unless the type is {types}', { types: 'heartbeat' })
    assert.equal(sayer.sayFaultOf(typed, 'unheard_of'), 'unheard_of is required for every type but Heartbeat')
  })
})

/** Fields that no person fills in: they come from browsers. */
const OF_PROGRAMS = new Set(['response'])

describe('the fields that operations take', () => {
  it('have names that people know, by themselves or as parts of others', () => {
    const paths = new Set<string>()
    const bodies = [...Object.values(allOperations), ...Object.values(accountContract)].flatMap(
      (operation) => ('body' in operation ? [operation.body as z.ZodType] : []),
    )
    for (const schema of bodies) pathsIn(schema, '', paths)
    for (const schema of Object.values(ContactConfigs)) pathsIn(schema, 'config.', paths)
    assert.ok(paths.size > 200, String(paths.size))
    assert.deepEqual(
      [...paths].filter((path) => !OF_PROGRAMS.has(path) && fieldAt(path) === undefined).sort(),
      [],
    )
  })

  function pathsIn(schema: z.ZodType, before: string, paths: Set<string>): void {
    const { shape, options, element, def } = schema as unknown as {
      shape?: Record<string, z.ZodType>
      options?: unknown[]
      element?: unknown
      def?: Record<string, unknown>
    }
    if (before.split('.').length > 8) return
    for (const [name, field] of Object.entries(shape ?? {})) {
      paths.add(`${before}${name}`)
      pathsIn(field, `${before}${name}.`, paths)
    }
    const inner = [...(options ?? []), element, def?.innerType, def?.in, def?.left, def?.right]
    for (const one of inner) if (one instanceof z.ZodType) pathsIn(one, before, paths)
  }
})

describe('plurals', () => {
  const SHORT = /\p{L}\((?:s|es|n|en|e|er|r|nen)\)/u

  it('are words in every language, and never an ending in brackets', () => {
    assert.match('2 day(s)', SHORT)
    assert.match('2 Tag(e)', SHORT)
    const english = [...textsOf(ROOT, 'dashboard/**/*.{ts,tsx}').calls, ...callsOf(ROOT, 'src/**/*.ts')]
    assert.deepEqual(
      english.filter(({ text }) => SHORT.test(text)).map(({ file, text }) => `${file}: ${text}`),
      [],
    )
    const files = globSync('src/core/language/*/**/*.json', { cwd: ROOT })
    assert.ok(files.length > 20)
    for (const file of files) {
      const texts = Object.values<string>(JSON.parse(readFileSync(join(ROOT, file), 'utf8')))
      assert.deepEqual(
        texts.filter((text) => SHORT.test(text)),
        [],
        file,
      )
    }
  })

  it('of German are there wherever English has them', () => {
    const plural = /\{\w+, (?:plural|selectordinal),/
    const lost = Object.entries<string>(DASHBOARD).filter(
      ([text, german]) => plural.test(text) && !plural.test(german),
    )
    assert.deepEqual(lost, [])
  })
})
