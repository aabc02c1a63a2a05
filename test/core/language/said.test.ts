import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it, test } from 'node:test'
import * as z from 'zod'
import { accountContract } from '../../../src/contract/accounts.ts'
import { allOperations } from '../../../src/contract/contract.ts'
import { ContactConfigs } from '../../../src/core/alerting/contact-types.ts'
import { Refusal } from '../../../src/core/errors.ts'
import { DASHBOARD } from '../../../src/core/language/de/dashboard.ts'
import {
  about,
  english,
  inWords,
  type Said,
  said,
  saidOf,
  stopped,
  WHOLE,
  withoutGot,
} from '../../../src/core/language/said.ts'
import { createSayer } from '../../../src/core/language/sayer.ts'
import { createTranslator } from '../../../src/core/language/translate.ts'
import { type Faults, parseFields } from '../../../src/core/validation.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const german = createTranslator('de', 'de-DE', DASHBOARD)
const sayer = createSayer(german)

/** Values that hardly any field takes, each wrong in its own way. */
const WRONG: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  10 ** 12,
  '',
  ' ',
  'x',
  'x'.repeat(70_000),
  'a\0b',
  'a\u0001b',
  '\ud800',
  'a b',
  '!',
  'https://',
  'ftp://example.com',
  'https://ada:secret@example.com/#part',
  'http://example.com',
  '99:99',
  '2027-02-30',
  '1800-01-01',
  '1800-01-01T02:30',
  'tag:',
  'tag:a\u0001',
  `t:${'x'.repeat(300)}`,
  'k'.repeat(90),
  'FREQ=NEVER',
  'FREQ=DAILY;COUNT=1;COUNT=2',
  'FREQ=DAILY;COUNT=x',
  'FREQ=WEEKLY;BYMONTHDAY=1',
  'FREQ=DAILY;BYDAY=1MO',
  'FREQ=DAILY;COUNT=1;UNTIL=20270101',
  'FREQ=MONTHLY;BYSETPOS=1',
  'FREQ=DAILY;BYMONTH=99',
  'FREQ=DAILY;BYMONTHDAY=99',
  'FREQ=DAILY;BYDAY=XX',
  'FREQ=DAILY;BYSETPOS=999',
  'FREQ=DAILY;UNTIL=1',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=YEARLY;BYDAY=1MO;BYMONTHDAY=1',
  `FREQ=DAILY;BYMONTH=${'1,'.repeat(400)}`,
  [],
  ['x'],
  [null],
  [7, 7],
  ['env:a', 'env:b'],
  {},
  { 'x y': 'z' },
]

const MANY = Array.from({ length: 10_001 }, (_, index) => index + 1)

/** The schemas of fields, and of what is in them. */
function fieldsIn(schema: unknown, seen: Set<z.ZodType>): void {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return
  seen.add(schema)
  const { shape, element, options, in: inner, valueType, innerType } = schema.def as unknown as Parts
  const parts = [element, inner, valueType, innerType, ...Object.values(shape ?? {}), ...(options ?? [])]
  for (const part of parts) fieldsIn(part, seen)
}

type Parts = { shape?: object; options?: unknown[] } & {
  [name in 'element' | 'in' | 'valueType' | 'innerType']?: unknown
}

/** The texts of the faults that a schema finds in values. */
function textsOf(schema: z.ZodType): string[] {
  const many = schema instanceof z.ZodArray && z.safeParse(schema.element, 1).success ? [MANY] : []
  // Made once for all values: an object compiles a parser of its own with its first one.
  const body = z.object({ field: schema })
  return [undefined, ...WRONG, ...many].flatMap((value) => {
    const parsed = parseFields(body, { field: value })
    return parsed.ok ? [] : Object.values(parsed.faults).flat().flatMap(textsIn)
  })
}

/** The text of a sentence, and those of sentences in it. */
function textsIn({ text, values }: Said): string[] {
  const inner = Object.values(values).flatMap((value) =>
    typeof value === 'object' && value !== null ? textsIn(value) : [],
  )
  return WHOLE in values ? inner : [text, ...inner]
}

test('no schema says of a value what is not known in German', () => {
  const fields = new Set<z.ZodType>()
  for (const operation of [...Object.values(allOperations), ...Object.values(accountContract)]) {
    if ('body' in operation) fieldsIn(operation.body, fields)
  }
  for (const schema of Object.values(ContactConfigs)) fieldsIn(schema, fields)
  const texts = new Set([...fields].flatMap(textsOf))
  assert.ok(texts.size > 80, String(texts.size))
  assert.deepEqual(
    [...texts].filter((text) => !Object.hasOwn(DASHBOARD, text)),
    [],
  )
})

test('a sentence goes without the value that it refuses, however it stands in another', () => {
  const fault = said('must be a URL, got {got}', { got: '"https://secret.example/hook"' })
  for (const one of [fault, about('url', fault), stopped(fault)])
    assert.ok(!english(withoutGot(one)).includes('secret'), english(withoutGot(one)))
  assert.equal(english(withoutGot(fault)), 'must be a URL')
  assert.equal(english(withoutGot(said('is required'))), 'is required')
})

test('a fault of a nested field begins with the word of its form, where that has one', () => {
  const faults: Faults = { 'steps.0.after_minutes': [said('is required')], name: [said('is required')] }
  const wordOf = (field: string) => (field.endsWith('.after_minutes') ? 'Minutes' : undefined)
  const shown = createSayer(createTranslator('en', 'en-GB')).sayFaults(faults, wordOf)
  assert.deepEqual(shown, { 'steps.0.after_minutes': ['Minutes is required'], name: ['Enter a name'] })
})

/** Sentences are made by these alone: `said` and `phrase` have German (test/dashboard/texts.test.ts), `inWords` needs none. */
test('no sentence is written where no test looks for its German', () => {
  const files = globSync('{src,dashboard}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !/language\/said\.ts$|\/dist\/|node_modules/.test(file),
  )
  const unseen = files.flatMap((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8')
    const found =
      code.match(
        /\bsaidOf\(\s*['"`]|\bsaid\(\s*`|(addIssue|refine|regex)\([^()]*['"`](must|is|cannot|has) /g,
      ) ?? []
    return found.map((call) => `${file}: ${call}`)
  })
  assert.ok(files.length > 1_000, String(files.length))
  assert.deepEqual(unseen, [])
})

test('nobody reads the English of a refusal: without its data it stays as it is', () => {
  const { message } = Refusal.invalid({ email: [said('is required')] })
  assert.equal(message, 'email is required.')
  assert.equal(sayer.sayRefusal({ said: null, message }), message)
})

describe('a refusal in German, from what a client gets of it', () => {
  const table: [english: string, german: string, refusal: { said: Said } | { faults: Faults }][] = [
    [
      'client_id is required.',
      'client_id ist erforderlich.',
      { said: stopped(about('client_id', said('is required'))) },
    ],
    [
      'redirect_uris.0 must not have a fragment.',
      'redirect_uris.0 darf kein Fragment haben.',
      { said: stopped(about('redirect_uris.0', said('must not have a fragment'))) },
    ],
    [
      'This service does not know the program any more. Remove the connection in the program, and connect it anew.',
      'Dieser Dienst kennt das Programm nicht mehr. Entfernen Sie die Verbindung im Programm, und verbinden Sie es neu.',
      {
        said: said(
          'This service does not know the program any more. Remove the connection in the program, and connect it anew.',
        ),
      },
    ],
    [
      'password must have at least 8 characters.',
      'Das Passwort muss mindestens 8 Zeichen haben.',
      { faults: { password: [said('must have at least {min} characters', { min: 8 })] } },
    ],
    [
      '2 fields are invalid: name, url.',
      '2 Felder sind ungültig: der Name, die URL.',
      { faults: { name: [said('is required')], url: [said('is required')] } },
    ],
    [
      'The free plan allows 1 site, and this team has as many. Delete one or change the plan.',
      'Der Tarif free erlaubt 1 Website, und so viele hat dieses Team. Löschen Sie eine, oder wechseln Sie den Tarif.',
      {
        said: said(
          'The {plan} plan allows {limit} site, and this team has as many. Delete one or change the plan.',
          { plan: 'free', limit: 1 },
        ),
      },
    ],
    ['HTTP 503 (expected 200).', 'HTTP 503 (expected 200).', { said: inWords('HTTP 503 (expected 200).') }],
  ]
  for (const [printed, translated, parts] of table) {
    it(printed, () => {
      const given = 'said' in parts ? { detail: parts.said } : { faults: parts.faults }
      const { message, said, ...refusal } = new Refusal('validationFailed', given)
      assert.equal(message, printed)
      const sent = JSON.parse(JSON.stringify({ said, faults: refusal.faults }))
      assert.equal(sayer.sayRefusal({ ...sent, message }), translated)
    })
  }

  it('begins with its rule at its field', () => {
    assert.equal(sayer.sayFault(said('is required'), 'email'), 'Ist erforderlich')
  })
})

describe('a fault in German', () => {
  const table: [fault: Said, printed: string, german: string][] = [
    [
      said('must be at most {max} characters, got {length}', { max: 255, length: 300 }),
      'must be at most 255 characters, got 300',
      'darf höchstens 255 Zeichen haben, hat aber 300',
    ],
    [
      said('must be an integer, got {got}', { got: '"must not be empty"' }),
      'must be an integer, got "must not be empty"',
      'muss eine ganze Zahl sein, nicht "must not be empty"',
    ],
    [
      said('must be an integer, got {got}', { got: said('null') }),
      'must be an integer, got null',
      'muss eine ganze Zahl sein, nicht nichts',
    ],
    [
      said('must be the ID of a contact of the team, got {got}', { got: null }),
      'must be the ID of a contact of the team, got null',
      'muss die ID eines Kontakts des Teams sein, nicht nichts',
    ],
    [
      saidOf('must be a key such as env, or a key and a value such as env:prod; {reason}, got {got}', {
        reason: said('the value after the colon is missing'),
        got: '"a:"',
      }),
      'must be a key such as env, or a key and a value such as env:prod; the value after the colon is missing, got "a:"',
      'muss ein Schlüssel wie env oder ein Schlüssel mit Wert wie env:prod sein; der Wert nach dem Doppelpunkt fehlt, nicht "a:"',
    ],
    [
      said('cannot be null on a {type} monitor', { type: 'ssl' }),
      'cannot be null on a ssl monitor',
      'darf bei einem Monitor vom Typ Zertifikat nicht fehlen',
    ],
    [
      said('is required unless the type is {types}', { types: 'heartbeat' }),
      'is required unless the type is heartbeat',
      'ist außer beim Typ Heartbeat erforderlich',
    ],
    [
      said('must be one of {values}, got {got}', { values: 'x, y', got: '"z"' }),
      'must be one of x, y, got "z"',
      'muss eines von diesen sein: x, y; nicht "z"',
    ],
  ]
  for (const [fault, printed, translated] of table) {
    it(printed, () => {
      assert.equal(english(fault), printed)
      assert.equal(sayer.say(fault), translated)
    })
  }
})
