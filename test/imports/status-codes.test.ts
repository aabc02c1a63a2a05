import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shownCodes, statusAssertions, statusCodesOf } from '../../src/imports/status-codes.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('accepted status codes of another service', () => {
  const TABLE: [accepted: string[], codes: number[] | null][] = [
    [['200'], [200]],
    [
      ['404', '200'],
      [200, 404],
    ],
    [['200-204', '203-206', '2'], range(200, 206)],
    [[' 200 - 202 ', '201'], range(200, 202)],
    [
      ['050-101', '598-999'],
      [100, 101, 598, 599],
    ],
    [['300-200', '600', 'ok', ''], null],
    [[], null],
    // As many as a hostile file lists, each as wide as can be
    [
      [...Array.from({ length: 10_000 }, () => '100-104'), '5xx-', '599'],
      [...range(100, 104), 599],
    ],
  ]
  for (const [accepted, codes] of TABLE)
    it(`${accepted.slice(0, 4).join(', ') || 'none'}: ${codes?.length ?? 'no'} codes`, () => {
      assert.deepEqual(statusCodesOf(accepted, false)?.codes ?? null, codes)
    })

  it('are assertions where they are too many to list', () => {
    const said = (accepted: string[]) =>
      statusAssertions(accepted)?.map(({ comparison, target }) => [comparison, target])
    assert.deepEqual(said(['2xx', '3XX']), [
      ['at_least', 200],
      ['at_most', 399],
    ])
    assert.deepEqual(said(['100-402', '404-599']), [
      ['at_least', 100],
      ['not_one_of', [403]],
    ])
  })

  it('are named in a message, but not all of very many', () => {
    assert.equal(shownCodes(['200', '3xx']), '200, 3xx')
    assert.equal(shownCodes(range(1, 9_999).map(String)), `${range(1, 20).join(', ')}, …`)
  })
})
