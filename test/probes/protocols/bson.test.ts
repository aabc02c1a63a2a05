import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bsonOf, documentIn, type JsonDocument } from '../../../src/probes/databases/bson.ts'
import { Cursor, Garbled } from '../../../src/probes/packets/cursor.ts'

/** Documents of one value `v`, as the library of MongoDB (`bson`, version 7) writes them, and what it reads in them. */
const READ: [what: string, hex: string, value: JsonDocument[string]][] = [
  ['a double', '10000000017600000000000000f83f00', 1.5],
  ['a text', '100000000276000400000074c3a40000', 'tä'],
  ['a document', '1c000000037600140000000378000c00000010790001000000000000', { x: { y: 1 } }],
  [
    'a list',
    '240000000476001c000000103000010000000231000200000062000a3200083300010000',
    [1, 'b', null, true],
  ],
  ['bytes', '0f0000000576000200000004686900', { $binary: { base64: 'aGk=', subType: '04' } }],
  ['an id', '140000000776000123456789abcdef0123456700', { $oid: '0123456789abcdef01234567' }],
  ['a time', '100000000976007b68e5cf8b01000000', { $date: '2023-11-14T22:13:20.123Z' }],
  ['a whole second', '10000000097600000000000000000000', { $date: '1970-01-01T00:00:00Z' }],
  ['a time before 1970', '10000000097600fbffffffffffffff00', { $date: { $numberLong: '-5' } }],
  ['a pattern', '0e0000000b760061622b00690000', { $regularExpression: { pattern: 'ab+', options: 'i' } }],
  ['code', '100000000d7600040000006628290000', { $code: 'f()' }],
  [
    'code with a scope',
    '200000000f76001800000004000000662829000c000000106100010000000000',
    { $code: 'f()', $scope: { a: 1 } },
  ],
  ['a number', '0c0000001076000500000000', 5],
  ['a long number', '10000000127600141a99be1c00000000', 123456789012],
  ['a number that would be rounded', '10000000127600010000000000200000', { $numberLong: '9007199254740993' }],
  ['a timestamp', '10000000117600070000000500000000', { $timestamp: { t: 5, i: 7 } }],
  ['the least key', '08000000ff760000', { $minKey: 1 }],
  ['the greatest key', '080000007f760000', { $maxKey: 1 }],
  ['a symbol', '100000000e76000400000073796d0000', { $symbol: 'sym' }],
  ['no number', '10000000017600000000000000f87f00', { $numberDouble: 'NaN' }],
  ['without an end', '10000000017600000000000000f0ff00', { $numberDouble: '-Infinity' }],
  ['the decimal 0.001', '1800000013760001000000000000000000000000003a3000', { $numberDecimal: '0.001' }],
  ['the decimal 1E+3', '180000001376000100000000000000000000000000463000', { $numberDecimal: '1E+3' }],
  [
    'the decimal -1.23E-10',
    '180000001376007b0000000000000000000000000028b000',
    { $numberDecimal: '-1.23E-10' },
  ],
  ['the decimal 123.450', '180000001376003ae20100000000000000000000003a3000', { $numberDecimal: '123.450' }],
  ['the decimal NaN', '180000001376000000000000000000000000000000007c00', { $numberDecimal: 'NaN' }],
  [
    'the decimal -Infinity',
    '18000000137600000000000000000000000000000000f800',
    { $numberDecimal: '-Infinity' },
  ],
  [
    'the decimal 9.999999999999999999999999999999999E+6144',
    '18000000137600ffffffff638e8d37c087adbe09edff5f00',
    { $numberDecimal: '9.999999999999999999999999999999999E+6144' },
  ],
  ['the decimal 1E-6176', '180000001376000100000000000000000000000000000000', { $numberDecimal: '1E-6176' }],
  [
    'the decimal 0.000001',
    '180000001376000100000000000000000000000000343000',
    { $numberDecimal: '0.000001' },
  ],
  ['the decimal 1E-7', '180000001376000100000000000000000000000000323000', { $numberDecimal: '1E-7' }],
]

const read = (bytes: Buffer) => documentIn(new Cursor(bytes))

describe('a document of BSON', () => {
  for (const [what, hex, value] of READ)
    it(`is read with ${what}`, () => {
      assert.deepEqual(read(Buffer.from(hex, 'hex')), { v: value })
    })

  it('is written as it is read', () => {
    const written: JsonDocument = {
      ...{
        text: 'tä',
        none: null,
        yes: true,
        no: false,
        half: 1.5,
        few: -3,
        many: 2 ** 40,
        list: [1, { a: 'b' }],
      },
      id: { $oid: '0123456789abcdef01234567' },
      time: { $date: '2026-01-01T00:00:00.5Z' },
      before: { $date: { $numberLong: '-5' } },
      bytes: { $binary: { base64: 'aGk=', subType: '04' } },
      long: { $numberLong: '9007199254740993' },
    }
    const bytes = bsonOf(written)
    assert.deepEqual(read(bytes), { ...written, time: { $date: '2026-01-01T00:00:00.500Z' } })
    assert.equal(bytes.readInt32LE(), bytes.length)
  })

  it('is written with the types that are named', () => {
    assert.equal(bsonOf({ v: { $numberDouble: '1' } }).toString('hex'), '10000000017600000000000000f03f00')
    assert.equal(bsonOf({ v: { $numberInt: '1' } }).toString('hex'), '0c0000001076000100000000')
  })

  it('is written as an object where an object looks like a named type and is none', () => {
    for (const v of [
      { $oid: 'x' },
      { $date: 'soon' },
      { $numberLong: '1', b: 1 },
      { $gt: 5 },
      { $binary: 'x' },
    ])
      assert.deepEqual(read(bsonOf({ v })), { v })
  })

  it('takes a key that JavaScript has a meaning for as any other', () => {
    const bytes = bsonOf(JSON.parse('{"__proto__": {"a": 1}}'))
    assert.equal(JSON.stringify(read(bytes)), '{"__proto__":{"a":1}}')
  })

  for (const [what, bytes] of Object.entries({
    'ends too soon': bsonOf({ v: 'text' }).subarray(0, -3),
    'is shorter than it says': Buffer.of(20, 0, 0, 0, 0),
    'is longer than it says': Buffer.of(6, 0, 0, 0, 0, 0),
    'has a length below zero': Buffer.of(0xff, 0xff, 0xff, 0xff, 0),
    'has an unknown type': Buffer.from('0800000044760000', 'hex'),
    'has a name without an end': Buffer.from('080000000a767676', 'hex'),
    'has a text without an end': Buffer.from('0d000000027600010000004100', 'hex'),
    'has a text of a length below zero': Buffer.from('0d000000027600ffffffff0000', 'hex'),
    'is nested too deeply': nested(102),
  }))
    it(`is none where it ${what}`, () => {
      assert.throws(() => read(bytes), Garbled)
    })

  it('may be nested as deeply as servers take it', () => {
    assert.doesNotThrow(() => read(nested(100)))
  })
})

function nested(depth: number): Buffer {
  return bsonOf(JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`))
}
