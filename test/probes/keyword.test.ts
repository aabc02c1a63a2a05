import assert from 'node:assert/strict'
import { pipeline, Readable } from 'node:stream'
import { describe, test } from 'node:test'
import zlib from 'node:zlib'
import { nextAnswer } from '../support/servers/client-events.ts'
import { startHttp, startSaying } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'

const TWO_MIB = 2 * 1_024 * 1_024

type Reply = { body: Buffer | string; headers?: Record<string, string>; keyword?: string }

describe('a keyword check finds its word', () => {
  const page = `<p>${'x'.repeat(5_000)} naïve café ${'y'.repeat(5_000)}</p>`
  const zipped = (encoding: string, body: Buffer): Reply => ({
    body,
    headers: { 'Content-Encoding': encoding },
    keyword: 'naïve café',
  })
  const replies: Record<string, Reply> = {
    'in plain text': { body: page, keyword: 'naïve café' },
    'at the very end': { body: `${page}OK` },
    'in a body that is nothing else': { body: 'OK' },
    'in gzip': zipped('gzip', zlib.gzipSync(page)),
    'in x-gzip': zipped('X-GZIP', zlib.gzipSync(page)),
    'in deflate with its header': zipped('deflate', zlib.deflateSync(page)),
    'in bare deflate': zipped('deflate', zlib.deflateRawSync(page)),
    'in br': zipped('br', zlib.brotliCompressSync(page)),
    'in zstd': zipped('zstd', zlib.zstdCompressSync(page)),
    'under two encodings': zipped('gzip, br', zlib.brotliCompressSync(zlib.gzipSync(page))),
    'in Latin-1 by its header': {
      body: Buffer.from(page, 'latin1'),
      headers: { 'Content-Type': 'text/html; charset=ISO-8859-1' },
      keyword: 'naïve café',
    },
    'in Latin-1 by a meta element': {
      body: Buffer.from(`<meta charset="latin1">${page}`, 'latin1'),
      keyword: 'naïve café',
    },
    'in Latin-1 by an XML declaration': {
      body: Buffer.from(`<?xml version='1.0' encoding='ISO-8859-1' ?>${page}`, 'latin1'),
      headers: { 'Content-Type': 'application/xml' },
      keyword: 'naïve café',
    },
    'in Latin-1 by a meta element far down the head': {
      body: Buffer.from(`<!-- ${'-'.repeat(8_000)} --><meta charset="latin1">${page}`, 'latin1'),
      keyword: 'naïve café',
    },
    'composed, in text that is not': { body: page.normalize('NFD'), keyword: 'naïve café' },
    'decomposed, in text that is not': { body: page, keyword: 'naïve café'.normalize('NFD') },
    'of an Ångström sign': { body: `${page} 1 \u212b`, keyword: '1 \u00c5' },
    'of Hangul in its parts': { body: '한국어'.normalize('NFD'), keyword: '국어' },
    'in UTF-8 by an XML declaration, whatever a meta element of XML says': {
      body: `<?xml version="1.0" encoding="utf-8"?><meta charset="latin1"/>${page}`,
      headers: { 'Content-Type': 'application/xhtml+xml' },
      keyword: 'naïve café',
    },
    'in Latin-1 by its header, whatever its XML declaration says': {
      body: Buffer.from(`<?xml version="1.0" encoding="utf-8"?>${page}`, 'latin1'),
      headers: { 'Content-Type': 'text/xml; charset=ISO-8859-1' },
      keyword: 'naïve café',
    },
    'in XML of UTF-16 without a byte order mark': {
      body: Buffer.from(`<?xml version="1.0"?>${page}`, 'utf16le'),
      headers: { 'Content-Type': 'application/xml' },
      keyword: 'naïve café',
    },
    'in Shift_JIS': {
      body: Buffer.concat([Buffer.from('<meta charset=shift_jis>'), Buffer.from('93fa967b', 'hex')]),
      keyword: '日本',
    },
    'in UTF-16 with a byte order mark': {
      body: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(page, 'utf16le')]),
      keyword: 'naïve café',
    },
    'when the charset is unknown': {
      body: page,
      headers: { 'Content-Type': 'text/html; charset=klingon' },
      keyword: 'naïve café',
    },
  }
  for (const [name, { body, headers, keyword = 'OK' }] of Object.entries(replies)) {
    test(name, async (t) => {
      const target = await startHttp(t, (_, response) => response.writeHead(200, headers).end(body))
      const url = `http://127.0.0.1:${target.port}/`
      const result = await check('keyword', { url, expected_keyword: keyword })
      assert.equal(result.errorMessage, null)
      assert.equal(result.status, 'up')
      assert.ok(Number.isInteger(result.phases?.transferMs))
      const missing = await check('keyword', { url, expected_keyword: 'not there' })
      assert.match(missing.errorMessage ?? '', /^keyword "not there" not found in [\d,]+ bytes$/)
      await target.allClosed()
    })
  }

  test('when it arrives byte by byte, cut within a character', async (t) => {
    const bytes = Buffer.from(`${'-'.repeat(1_020)}naïve café`)
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
    const target = await startHttp(t, (_, response) => {
      pipeline(Readable.from(pieces), response, () => {})
    })
    const url = `http://127.0.0.1:${target.port}/`
    assert.equal((await check('keyword', { url, expected_keyword: 'naïve café' })).status, 'up')
  })

  test('at once, in an answer that never ends', async (t) => {
    const target = await startHttp(t, (_, response) => response.write('data: OK\n\n'))
    const result = await check('keyword', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.status, 'up')
    await target.allClosed()
  })
})

describe('a keyword check is down, and says why,', () => {
  test('when the word is absent, with the bytes that were searched', async (t) => {
    const target = await startHttp(t, (_, response) => response.end('x'.repeat(18_204)))
    const result = await check('keyword', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.status, 'down')
    assert.equal(result.httpStatusCode, 200)
    assert.equal(result.errorMessage, 'keyword "OK" not found in 18,204 bytes')
    assert.ok(Number.isInteger(result.responseTimeMs))
  })

  test('when the status is unexpected, whatever the body says', async (t) => {
    const target = await startHttp(t, (_, response) => response.writeHead(500).end('OK'))
    const result = await check('keyword', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.errorMessage, 'HTTP 500 (expected 200)')
  })

  test('with HEAD, which has no body', async (t) => {
    const target = await startHttp(t, (_, response) => response.end('OK'))
    const result = await check('keyword', { url: `http://127.0.0.1:${target.port}/`, http_method: 'HEAD' })
    assert.equal(result.errorMessage, 'keyword "OK" not found in 0 bytes')
  })

  test('when the word comes after 2 MiB, which is all that is read', async (t) => {
    let sent = 0
    const target = await startHttp(t, (_, response) => {
      const block = Buffer.alloc(64 * 1_024, 'x')
      function* blocks() {
        for (; sent < 10 * TWO_MIB; sent += block.length) yield block
        yield 'OK'
      }
      pipeline(Readable.from(blocks()), response, () => {})
    })
    const result = await check('keyword', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.errorMessage, 'keyword "OK" not found in 2,097,152 bytes')
    await target.allClosed()
    assert.ok(sent < 10 * TWO_MIB, `the server could send ${sent} bytes`)
  })

  const bombs: Record<string, Buffer> = {
    gzip: zlib.gzipSync(Buffer.alloc(50 * 1_024 * 1_024)),
    br: zlib.brotliCompressSync(Buffer.alloc(50 * 1_024 * 1_024), {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 },
    }),
  }
  for (const [encoding, bomb] of Object.entries(bombs)) {
    test(`when a ${encoding} bomb unfolds, of which 2 MiB are read`, async (t) => {
      const headers = { 'Content-Encoding': encoding }
      const target = await startHttp(t, (_, response) => response.writeHead(200, headers).end(bomb))
      const result = await check('keyword', { url: `http://127.0.0.1:${target.port}/` })
      assert.equal(result.errorMessage, 'keyword "OK" not found in 2,097,152 bytes')
      await target.allClosed()
    })
  }

  test('when empty compressed blocks go on for ever, after 2 MiB of them', async (t) => {
    const empty = zlib.gzipSync('')
    const block = Buffer.concat(Array.from({ length: 1_000 }, () => empty))
    const target = await startHttp(t, (_, response) => {
      response.setHeader('Content-Encoding', 'gzip')
      function* blocks() {
        while (true) yield block
      }
      pipeline(Readable.from(blocks()), response, () => {})
    })
    const result = await check('keyword', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.errorMessage, 'keyword "OK" not found in 0 bytes')
    await target.allClosed()
  })

  const broken: [name: string, answer: string, cause: RegExp][] = [
    [
      'is cut off before its length',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello',
      /^connection closed before the answer was complete$/,
    ],
    [
      'is cut off between chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
      /^connection closed before the answer was complete$/,
    ],
    [
      'has a broken chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n',
      /^invalid HTTP answer: Invalid character in chunk size$/,
    ],
    [
      'is not what its encoding says',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nhello',
      /^answer could not be decoded \(gzip: incorrect header check\)$/,
    ],
    [
      'is not brotli',
      `HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n${'\u007f'.repeat(99)}`,
      /^answer could not be decoded \(br: /,
    ],
    [
      'is not zstd',
      'HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\nhello hello hello',
      /^answer could not be decoded \(zstd: /,
    ],
    [
      'has an unknown encoding, and not the keyword',
      'HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\n\r\nhello',
      /^keyword "OK" not found in 5 bytes$/,
    ],
    [
      'has more encodings than anybody uses',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip\r\n\r\nhello',
      /^answer could not be decoded \(gzip, gzip, gzip, gzip: too many encodings\)$/,
    ],
  ]
  for (const [name, answer, cause] of broken) {
    test(`when the body ${name}`, async (t) => {
      const target = await startSaying(t, Buffer.from(answer, 'latin1'))
      const result = await check('keyword', { url: `http://127.0.0.1:${target.port}/` })
      assert.equal(result.status, 'down')
      assert.match(result.errorMessage ?? '', cause)
      assert.equal(result.httpStatusCode, 200)
      await target.allClosed()
    })
  }

  test('when the body stops in the middle', async (t) => {
    const clock = turnClock(t)
    const target = await startHttp(t, (_, response) => response.write('x'.repeat(4_000)))
    const url = `http://127.0.0.1:${target.port}/`
    const answered = nextAnswer()
    const checking = check('keyword', { url, request_timeout_seconds: 1 })
    const result = await clock.passLimit(1_000, checking, answered)
    assert.equal(result.errorMessage, 'no answer within 1 s (reading the answer)')
    assert.equal(result.httpStatusCode, 200)
    assert.equal(result.responseTimeMs, null)
    await target.allClosed()
  })
})
