import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { toCompressedResponse } from '../../src/api/respond.ts'

const LONG = {
  data: Array.from({ length: 2_000 }, (_, id) => ({ id, name: `server-${id}`, status: 'up', causes: [] })),
}
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('an answer of the dashboard', () => {
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)
    test(`is sent as ${encoding} if it is long and ${accepted} is accepted`, async () => {
      const response = await toCompressedResponse(
        { status: 200, body: LONG, headers: { etag: '"a"' } },
        accepted,
      )
      assert.deepEqual(
        ['content-encoding', 'vary', 'content-type', 'cache-control', 'etag'].map((name) =>
          response.headers.get(name),
        ),
        [encoding, 'accept-encoding', 'application/json', 'no-store', '"a"'],
      )
      const bytes = await bytesOf(response)
      assert.deepEqual(JSON.parse(unpack(bytes).toString()), LONG)
      assert.ok(bytes.length < JSON.stringify(LONG).length / 4)
    })

  test('is sent as it is where it is short, or nobody asks for more', async () => {
    const cases = [
      [{ data: [] }, 'gzip'],
      [LONG, undefined],
      [LONG, 'gzip;q=0'],
    ] as const
    for (const [body, accepted] of cases) {
      const response = await toCompressedResponse({ status: 200, body, headers: {} }, accepted)
      assert.equal(response.headers.get('content-encoding'), null)
      assert.deepEqual(JSON.parse((await bytesOf(response)).toString()), body)
    }
    const empty = await toCompressedResponse({ status: 204, headers: {} }, 'gzip')
    assert.deepEqual([empty.status, (await bytesOf(empty)).length], [204, 0])
  })
})
