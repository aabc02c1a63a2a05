import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  filledTemplate,
  placeOfBody,
  referencesIn,
  type TemplatePlace,
} from '../../../../src/core/monitors/steps/template.ts'

const VALUES: Record<string, string> = { token: 'a "b"&c', n: '7', long: 'x'.repeat(100) }
const fill = (template: string, place: TemplatePlace, max = 200) =>
  filledTemplate(template, place, (name) => VALUES[name] ?? null, max)

describe('a template', () => {
  const filled: [template: string, place: TemplatePlace, text: string][] = [
    ['{{token}}', 'header', 'a "b"&c'],
    ['/{{ token }}?{{n}}', 'url', '/a%20%22b%22%26c?7'],
    ['{"t": "{{token}}", "n": {{n}}}', 'json', '{"t": "a \\"b\\"&c", "n": 7}'],
    ['t={{token}}', 'form', 't=a+%22b%22%26c'],
    ['{{token}}', 'text', 'a "b"&c'],
    ['{{{token}}}', 'url', 'a "b"&c'],
    // Other texts than names are no references.
    ['{{}} {{a b}} { {n} } {{n}', 'text', '{{}} {{a b}} { {n} } {{n}'],
    // A value is not read again.
    ['{{n}}{{n}}', 'text', '77'],
  ]
  for (const [template, place, text] of filled)
    it(`is filled in a ${place}: ${template}`, () => assert.deepEqual(fill(template, place), { text }))

  it('says what it lacks, and what is too much', () => {
    assert.equal(fill('{{other}}', 'text'), 'missing')
    assert.equal(fill('{{long}}{{long}}{{n}}', 'text'), 'too long')
    assert.equal(fill(`${'y'.repeat(195)}{{token}}`, 'text'), 'too long')
  })

  it('names its references once each', () => {
    assert.deepEqual(referencesIn('{{b}} {{{a}}} {{b}} {{secret.X-1}}'), ['b', 'a', 'secret.X-1'])
  })

  const bodies: [body: string, contentType: string | undefined, place: TemplatePlace][] = [
    ['{"a": {{n}}}', undefined, 'json'],
    ['a={{n}}', undefined, 'text'],
    ['{"a": 1}', 'text/plain', 'text'],
    ['<a/>', 'application/problem+json; charset=utf-8', 'json'],
    ['a=1', 'application/x-www-form-urlencoded', 'form'],
  ]
  for (const [body, contentType, place] of bodies)
    it(`is ${place} as a body ${body} of ${contentType ?? 'no type'}`, () =>
      assert.equal(placeOfBody(body, contentType), place))
})
