import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseDocument } from 'yaml'
import { readDeclaration } from '../../src/cli/apply/declaration-file.ts'
import { readYaml } from '../../src/imports/json.ts'
import { AliasFault, plainValue } from '../../src/imports/yaml-value.ts'

const read = (text: string) => plainValue(parseDocument(text, { merge: true }))
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index))

describe('aliases in YAML', () => {
  test('stand as often as a file likes, one inside of another', () => {
    const text = [
      'alerts: &a [{ type: slack }]',
      'base: &b { interval: 1m, alerts: *a }',
      'endpoints:',
      ...lines(2_000, (index) => `  - { <<: *b, name: e${index} }`),
    ].join('\n')
    const { endpoints } = read(text) as { endpoints: object[] }
    assert.equal(endpoints.length, 2_000)
    assert.deepEqual(endpoints[1_999], { interval: '1m', alerts: [{ type: 'slack' }], name: 'e1999' })
    assert.deepEqual(readYaml(text), read(text))
  })

  test('stand as often in a file of upbeat apply', () => {
    const text = [
      'monitors:',
      '  - &m { name: m, type: http, url: https://example.com, check_interval_minutes: 5 }',
      ...lines(500, (index) => `  - { <<: *m, name: m${index} }`),
    ].join('\n')
    const { declaration } = readDeclaration(text, 'upbeat.yaml', () => undefined)
    assert.equal(declaration.monitors?.length, 501)
  })

  /** Ten lines, of which each holds the one before ten times. */
  const bomb = [
    'a0: &a0 [x, x]',
    ...lines(9, (index) => `a${index + 1}: &a${index + 1} [${'*a'.concat(`${index}, `).repeat(10)}]`),
  ]

  const faults: [what: string, text: string, said: string][] = [
    ['that expand to billions of values', bomb.join('\n'), 'its aliases expand to more than 5000000 values'],
    ['of what is not there', 'a: *b', 'an alias names nothing that stands before it: *b'],
    ['of what comes later', 'a: *b\nb: &b 1', 'an alias names nothing that stands before it: *b'],
    ['inside of what they name', 'a: &a { b: [*a] }', 'an alias stands inside of what it names'],
  ]
  for (const [what, text, said] of faults) {
    test(`${what} are refused with the reason`, () => {
      assert.throws(
        () => read(text),
        (error) => error instanceof AliasFault && error.message === said,
      )
      assert.throws(() => readYaml(text), { message: `it is no YAML that can be read: ${said}` })
      assert.throws(() => readDeclaration(text, 'f.yaml', () => undefined), { message: `f.yaml: ${said}` })
    })
  }
})
