import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it, test } from 'node:test'
import * as z from 'zod'
import { accountContract } from '../../../src/contract/accounts.ts'
import { allOperations } from '../../../src/contract/contract.ts'
import { ContactConfigs } from '../../../src/core/alerting/contact-types.ts'
import { DASHBOARD } from '../../../src/core/language/de/dashboard.ts'
import { createInterpreter } from '../../../src/core/language/interpreter.ts'
import { sayerOf } from '../../../src/core/language/service.ts'
import { createTranslator } from '../../../src/core/language/translate.ts'
import { parseFields } from '../../../src/core/validation.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const german = createTranslator('de', 'de-DE', DASHBOARD)
const interpret = createInterpreter(german.t)
const sayer = sayerOf('de')

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

const QUOTED = /"(?:[^"\\]|\\.)*"/g

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

/** Messages of a schema about values, without the name of the field. */
function messagesOf(schema: z.ZodType): string[] {
  const many = schema instanceof z.ZodArray && z.safeParse(schema.element, 1).success ? [MANY] : []
  return [undefined, ...WRONG, ...many].flatMap((value) => {
    const parsed = parseFields(z.object({ field: schema }), { field: value })
    const errors = parsed.ok ? [] : Object.entries(parsed.errors)
    return errors.flatMap(([field, messages]) =>
      messages.map((message) => message.slice(field.length + 1).replaceAll(QUOTED, '"x"')),
    )
  })
}

test('no schema says of a value what is not known in German', () => {
  const fields = new Set<z.ZodType>()
  for (const operation of [...Object.values(allOperations), ...Object.values(accountContract)]) {
    if ('body' in operation) fieldsIn(operation.body, fields)
  }
  for (const schema of Object.values(ContactConfigs)) fieldsIn(schema, fields)
  const said = new Set([...fields].flatMap(messagesOf))
  assert.ok(said.size > 200, String(said.size))
  assert.deepEqual(
    [...said].filter((message) => interpret(message) === null),
    [],
  )
})

/** Files whose sentences no screen and no page shows. */
const NOT_ON_SCREENS =
  /oauth-tokens|api\/oauth|lists\/parameter|operator|remote-probe|diagnose|member-actor|restore-monitor|declaration|\/(language|judging|inputs|agent)\/|cause/

/** Where messages of one field are written: `['name must wait: …']`, `message: 'must …'`, `addIssue('must …')`. */
const MESSAGE =
  /(?:\[|message[:=] |message = |addIssue\(|refuse\(path, |fault\('\w+', |return \[?)(?:\n\s*)?(['`])(?:(?:\$\{(?:field|path)\}|[a-z_]+) )?((?:must|is|cannot|has) (?:(?!\1).)*)\1/g

/** Rules whose words are filled in, too: the table below has them. */
const BUILT =
  /\$\{|^(must|must be|must be empty when|is required|cannot be) 7|(again|ahead,|future,|address) ?7/

/** The rules in a file, with something in place of what is filled in. */
function rulesIn(file: string): string[] {
  const code = readFileSync(join(ROOT, file), 'utf8')
  return [...code.matchAll(MESSAGE)].map(([, , rule = '']) => rule.replaceAll(/\$\{[^}]*\}/g, '7'))
}

test('no rule of core and no refusal of an operation is missing', () => {
  const files = globSync('src/{core,operations}/**/*.ts', { cwd: ROOT })
  const rules = files.filter((file) => !NOT_ON_SCREENS.test(file)).flatMap(rulesIn)
  assert.ok(rules.length > 80, String(rules.length))
  const isKnown = (rule: string) => interpret(rule) !== null
  assert.deepEqual(
    rules.filter((rule) => !isKnown(rule) && !BUILT.test(rule)),
    [],
  )
})

/** Refusals in whole sentences. */
const SENTENCE = /(?:detail(?::| =)|OauthRefusal\(\s*'\w+',)\s*(['`])((?:(?!\1).)+)\1/g
/** Sentences of the command line, and those of which too much is filled in: the tables below have them. */
const NOT_SHOWN =
  /^there is no (account|team|valid token)|^The program was only allowed|use PATCH\.$|7 (status )?7|^resource must be 7|^7\.$/

test('no sentence of a refusal is missing', () => {
  const files = globSync('src/{core/sign-in,operations}/**/*.ts', { cwd: ROOT })
  const sentences = files
    .filter((file) => !/oauth-tokens|diagnose/.test(file))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(SENTENCE)])
    .map(([, , sentence = '']) => sentence.replaceAll(/\$\{[^}]*\}/g, '7'))
  assert.ok(sentences.length > 30, String(sentences.length))
  assert.deepEqual(
    sentences.filter((sentence) => !NOT_SHOWN.test(sentence) && sayer.sayMessage(sentence) === sentence),
    [],
  )
})

describe('a refusal of a page in German', () => {
  const table: [english: string, german: string][] = [
    ['client_id is required.', 'client_id ist erforderlich.'],
    [
      "scope must name read or write, got 'is required'.",
      "scope muss read oder write nennen, nicht 'is required'.",
    ],
    ['state must be sent once, got 2 of it.', 'state darf nur einmal gesendet werden, nicht 2-mal.'],
    [
      'state must be at most 1000 characters, got 1001.',
      'state darf höchstens 1000 Zeichen haben, hat aber 1001.',
    ],
    [
      "resource must be https://up.example/mcp or https://up.example/api/v1, got 'x'.",
      "resource muss https://up.example/mcp oder https://up.example/api/v1 sein, nicht 'x'.",
    ],
    [
      "redirect_uris.0 must be https, http to this computer, or a scheme of the program's own with a dot such as com.example.app:, got 'ftp://x'.",
      "redirect_uris.0 muss https, http zu diesem Computer oder ein eigenes Schema des Programms mit einem Punkt wie com.example.app: sein, nicht 'ftp://x'.",
    ],
    [
      'This service does not know the program any more. Remove the connection in the program, and connect it anew.',
      'Dieser Dienst kennt das Programm nicht mehr. Entfernen Sie die Verbindung im Programm, und verbinden Sie es neu.',
    ],
    [
      'No account has the address ada@example.com. Ask the operator of this service, or the owner of your team, to create one.',
      'Kein Konto hat die Adresse ada@example.com. Bitten Sie den Betreiber dieses Dienstes oder den Inhaber Ihres Teams, eines anzulegen.',
    ],
    ['password must have at least 8 characters.', 'Das Passwort muss mindestens 8 Zeichen haben.'],
    ['HTTP 503 (expected 200).', 'HTTP 503 (expected 200).'],
  ]
  for (const [english, translated] of table)
    it(english, () => assert.equal(sayer.sayMessage(english), translated))

  it('begins with its rule at its field', () => {
    assert.equal(sayer.sayFault('email is required', 'email'), 'Ist erforderlich')
  })
})

describe('a message of the API in German', () => {
  const table: [english: string, german: string][] = [
    ['must be at most 255 characters, got 300', 'darf höchstens 255 Zeichen haben, hat aber 300'],
    ['must be an integer, got "must not be empty"', 'muss eine ganze Zahl sein, nicht "must not be empty"'],
    ['must be an integer, got null', 'muss eine ganze Zahl sein, nicht nichts'],
    [
      'must be a key such as env, or a key and a value such as env:prod; the value after the colon is missing, got "a:"',
      'muss ein Schlüssel wie env oder ein Schlüssel mit Wert wie env:prod sein; der Wert nach dem Doppelpunkt fehlt, nicht "a:"',
    ],
    ['cannot be null on a ssl monitor', 'darf bei einem Monitor vom Typ Zertifikat nicht fehlen'],
    ['is required unless the type is heartbeat', 'ist außer beim Typ Heartbeat erforderlich'],
    ['must be one of x, y, got "z"', 'muss eines von diesen sein: x, y; nicht "z"'],
    ['must be at least 60 on the free plan, got 10', 'muss im Tarif free mindestens 60 sein, nicht 10'],
    ['must be at least 60, got 10', 'muss mindestens 60 sein, nicht 10'],
    [
      'The free plan allows 1 site, and this team has as many. Delete one or change the plan.',
      'Der Tarif free erlaubt 1 Website, und so viele hat dieses Team. Löschen Sie eine, oder wechseln Sie den Tarif.',
    ],
    ['2 fields are invalid: name, url', '2 Felder sind ungültig: name, url'],
  ]
  for (const [english, translated] of table) it(english, () => assert.equal(interpret(english), translated))

  const built = [
    'must start with http:// or https:// for a monitor of type http',
    'must be a full URL such as https://example.com, got "x"',
    'is required when the type is tcp',
    'is required to attach a contact',
    'cannot be empty on a keyword monitor',
    'must be at most enter, 90, got 95',
    'must be at least enter, 10, got 5',
    'must be empty when all_subjects is true, got 2',
    'must be empty when tags has an entry, got 2',
    'must be after starts_at, 2027-01-01T00:00:00.000000Z, got 2026-01-01T00:00:00.000000Z',
    'must be in the future, got 2026-01-01T00:00:00.000Z',
    'must be at most a year ahead, got 2036-01-01T00:00:00.000Z',
    'must be one of scheduled, completed for maintenance, got resolved',
    'cannot be asked again before 2026-01-01T00:00:00.000Z, when the link of its letter expires',
    'cannot be deleted: the team Shop is alerted at its address and in its browsers only; add another contact first',
    'must be null where monitor_id is not, got 3',
  ]
  for (const english of built) it(english, () => assert.notEqual(interpret(english), null))

  it('is null where it is not known', () => assert.equal(interpret('HTTP 503 (expected 200)'), null))
})
