import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MASK } from '../../src/core/teams/access.ts'
import { maskOf } from '../../src/probes/mask-secrets.ts'

function maskOfHeaders(request_headers: Record<string, string>) {
  const settings = { url: 'https://example.com/', request_headers }
  return maskOf({ settings, secrets: [] } as unknown as Parameters<typeof maskOf>[0])
}

test('A short secret is masked where it stands alone, a longer one anywhere', () => {
  const mask = maskOfHeaders({ 'X-Pin': '7', 'X-Code': 'aβ', 'X-Key': 'long.secret' })
  assert.equal(
    mask.apply('7 77 x7 (7) 😀7 Aβ aβc, mylong.secrets'),
    `${MASK} 77 x7 (${MASK}) 😀${MASK} ${MASK} aβc, my${MASK}s`,
  )
})

test('Thousands of short secrets take no pattern each, which would hold up the checks of others for minutes', () => {
  const values = Array.from({ length: 5_000 }, (_, index) => index.toString(20).padStart(3, 'x').slice(-3))
  const mask = maskOfHeaders(Object.fromEntries(values.map((value, index) => [`X-${index}`, value])))
  assert.equal(mask.apply('Grüße 😀 xx7 c9e'), `Grüße 😀 ${MASK} ${MASK}`)
})

test('A body of the greatest length is masked as a whole, by its lines, and where a cause cuts it off', () => {
  const lines = Array.from({ length: 500 }, (_, at) => `line "${at}" ${'of it '.repeat(20)}`.trim())
  for (const body of ['long words '.repeat(5_957).trim(), lines.join('\n')]) {
    const settings = { url: 'https://example.com/', options: { request_body: body } }
    const mask = maskOf({ settings, secrets: [] } as unknown as Parameters<typeof maskOf>[0])
    const [first = ''] = body.split('\n')
    assert.equal(mask.apply(`it is ${first}!`), `it is ${MASK}!`)
    assert.equal(mask.apply(`it is "${first.slice(0, 100)}…"`), `it is "${MASK}…"`)
    assert.equal(mask.applyToBeginning(`${first} and ${first}`).includes('words'), false)
  }
})
