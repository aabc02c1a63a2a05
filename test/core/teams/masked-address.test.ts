import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedAddress, plainPartOf, secretsOfQuery } from '../../../src/core/teams/access.ts'

const ADDRESSES: [address: string, plain: string, masked: string][] = [
  ['https://a.example/x', 'https://a.example/x', 'https://a.example/x'],
  ['https://a.example/x?k=1&q=2', 'https://a.example/x', 'https://a.example/x?********'],
  ['https://a.example?k=1', 'https://a.example', 'https://a.example?********'],
  ['https://a.example/x#token=1', 'https://a.example/x', 'https://a.example/x#********'],
  ['https://a.example/x?a#b?c', 'https://a.example/x', 'https://a.example/x?********'],
  ['https://ann:pass@a.example/x', 'https://a.example/x', 'https://a.example/x'],
  ['//ann@a.example/x?k', '//a.example/x', '//a.example/x?********'],
  ['tcp://db.example:5432', 'tcp://db.example:5432', 'tcp://db.example:5432'],
  ['/next?session=1', '/next', '/next?********'],
  ['?session=1', '', '?********'],
  ['https://a.example/@ann/x', 'https://a.example/@ann/x', 'https://a.example/@ann/x'],
  ['https://a.example/?to=https://ann:b@c.example', 'https://a.example/', 'https://a.example/?********'],
  ['', '', ''],
]

for (const [address, plain, masked] of ADDRESSES) {
  test(`of ${address || 'nothing'} is plain: ${plain || 'nothing'}`, () => {
    assert.deepEqual([plainPartOf(address), maskedAddress(address)], [plain, masked])
    assert.equal(plainPartOf(plain), plain)
  })
}

test('pieces of a query that may be tokens are secrets, words are none', () => {
  assert.deepEqual(secretsOfQuery('https://a.example/search?q=shopping'), ['q=shopping'])
  assert.deepEqual(secretsOfQuery('https://a.example/x?key=a%2Fb%3D4711&q=tea#s3cr3t99'), [
    'key=a%2Fb%3D4711&q=tea',
    'a%2Fb%3D4711',
    's3cr3t99',
    'a/b=4711',
  ])
  assert.deepEqual(secretsOfQuery('https://a.example/x'), [])
})
