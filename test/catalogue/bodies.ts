import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import zlib from 'node:zlib'
import type { Scope } from '../support/scope.ts'
import { nextAnswer } from '../support/servers/client-events.ts'
import { startHttp, startSaying } from '../support/servers/targets.ts'
import { at, type Case, type Group, LIMIT_SECONDS, type Started } from './case.ts'

const MIB = 1_024 * 1_024
const TEN_GB = 10_000_000_000
/** Beyond the 2 MiB that are read: what fits into the buffers of two kernels and of node. */
const MAX_SENT = 64 * MIB
const WORD = 'naïve café'
const PAGE = `<html><p>${'x'.repeat(3_000)} ${WORD} ${'y'.repeat(3_000)}</p></html>`

const XML_DECLARATION = '<?xml version="1.0" encoding="ISO-8859-1"?>'

function answering(onRequest: RequestListener, keyword = 'OK'): Case['start'] {
  return async (scope) => {
    const started = at(await startHttp(scope, onRequest))
    return { ...started, settings: { ...started.settings, expected_keyword: keyword } }
  }
}

function saying(answer: string | Buffer): Case['start'] {
  return async (scope) => at(await startSaying(scope, answer))
}

/** Hears the request, and would answer after the limit. */
async function late(scope: Scope): Promise<Started> {
  const asked = Promise.withResolvers<void>()
  const target = await startHttp(scope, (request, response) => {
    const answer = setTimeout(() => response.end(), 2 * LIMIT_SECONDS * 1_000)
    request.socket.once('close', () => clearTimeout(answer))
    asked.resolve()
  })
  return { ...at(target), saidAll: () => asked.promise }
}

/** A body of 10 GB; the server must not get rid of much of it. */
async function endless(scope: Scope): Promise<Started> {
  let socket: Socket | undefined
  const block = Buffer.alloc(64 * 1_024, 'x')
  const target = await startHttp(scope, (request, response) => {
    socket = request.socket
    response.setHeader('Content-Length', TEN_GB)
    function* blocks() {
      for (let sent = 0; sent < TEN_GB; sent += block.length) yield block
    }
    pipeline(Readable.from(blocks()), response, () => {})
  })
  return { ...at(target), afterwards: () => assert.ok((socket?.bytesWritten ?? TEN_GB) < MAX_SENT) }
}

/** A small body that unfolds to many times what is read of it. */
function bomb(encoding: string, body: Buffer): Case['start'] {
  assert.ok(body.length < MIB)
  return answering((_, response) => response.writeHead(200, { 'Content-Encoding': encoding }).end(body))
}

function unfoldingBodies(): Record<string, Buffer> {
  const zeros = Buffer.alloc(64 * MIB)
  return {
    gzip: zlib.gzipSync(zeros, { level: 1 }),
    br: zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } }),
    zstd: zlib.zstdCompressSync(zeros),
  }
}

/** The page in pieces of three bytes, so that every character and every block is cut somewhere. */
function inPieces(encoding: string, body: Buffer): Case['start'] {
  return answering((_, response) => {
    response.writeHead(200, { 'Content-Encoding': encoding })
    const pieces = Array.from({ length: Math.ceil(body.length / 3) }, (_, i) =>
      body.subarray(3 * i, 3 * i + 3),
    )
    pipeline(Readable.from(pieces), response, () => {})
  }, WORD)
}

function inCharset(contentType: string, body: Buffer): Case['start'] {
  return answering((_, response) => response.writeHead(200, { 'Content-Type': contentType }).end(body), WORD)
}

const utf16 = Buffer.from(PAGE, 'utf16le')
/** A frame (RFC 8878) that wants a window of 128 MiB set aside before its first byte. */
const wideZstd = Buffer.from('28b52ffd0088' + '410000' + '4f', 'hex')

export const bodies: Group = {
  title: 'Answers',
  cases: [
    {
      name: 'The first byte comes late, within the limit',
      type: 'http',
      status: 'up',
      cause: null,
      start: answering((_, response) => setTimeout(() => response.end(), 50)),
    },
    {
      name: 'The first byte comes after the limit',
      type: 'http',
      status: 'down',
      cause: 'no answer within <limit> s (connected, waiting for the first byte)',
      atLimit: true,
      start: late,
    },
    {
      name: 'The body stalls, of a page that is asked for its status',
      type: 'http',
      status: 'up',
      cause: null,
      start: answering((_, response) => response.write('half')),
    },
    {
      name: 'The body stalls',
      type: 'keyword',
      status: 'down',
      cause: 'no answer within <limit> s (reading the answer)',
      atLimit: true,
      start: async (scope) => ({
        ...(await answering((_, response) => response.write('half'))(scope)),
        saidAll: nextAnswer,
      }),
    },
    {
      name: 'The body is shorter than announced',
      type: 'keyword',
      status: 'down',
      cause: 'connection closed before the answer was complete',
      start: saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    },
    {
      name: 'The body ends between two chunks',
      type: 'keyword',
      status: 'down',
      cause: 'connection closed before the answer was complete',
      start: saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'),
    },
    {
      name: 'Bad framing: a chunk without a size',
      type: 'keyword',
      status: 'down',
      cause: 'invalid HTTP answer: Invalid character in chunk size',
      start: saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n'),
    },
    {
      name: 'Bad framing: two lengths',
      type: 'http',
      status: 'down',
      cause: 'invalid HTTP answer: <what is wrong>',
      start: saying('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'),
    },
    {
      name: 'Two lengths that say the same',
      type: 'http',
      status: 'up',
      cause: null,
      start: saying('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nOK'),
    },
    {
      name: 'A length beside chunks',
      type: 'keyword',
      status: 'up',
      cause: null,
      start: saying(
        'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n',
      ),
    },
    {
      name: 'A header with a control character',
      type: 'http',
      status: 'up',
      cause: null,
      start: saying('HTTP/1.1 200 OK\r\nSet-Cookie: a=b\x01\r\n\r\n'),
    },
    {
      name: 'A header with a NUL',
      type: 'http',
      status: 'down',
      cause: 'invalid HTTP answer: NUL in the header',
      start: saying('HTTP/1.1 200 OK\r\nSet-Cookie: a=b\0\r\n\r\n'),
    },
    {
      name: 'Folded lines, odd names and LF in the header',
      type: 'keyword',
      status: 'up',
      cause: null,
      start: saying('HTTP/1.1 200 OK\nX Y : a\n b\n\nOK'),
    },
    {
      name: 'It is no HTTP',
      type: 'http',
      status: 'down',
      cause: 'invalid HTTP answer: <what is wrong>',
      start: saying('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
    },
    {
      name: 'Header flood: one header of 70,000 characters',
      type: 'http',
      status: 'down',
      cause: 'invalid HTTP answer: headers above 64 KiB',
      start: saying(`HTTP/1.1 200 OK\r\nX-Flood: ${'x'.repeat(70_000)}\r\n\r\n`),
    },
    {
      name: 'Header flood: 10,000 headers',
      type: 'http',
      status: 'down',
      cause: 'invalid HTTP answer: headers above 64 KiB',
      start: saying(`HTTP/1.1 200 OK\r\n${'X-Flood: x\r\n'.repeat(10_000)}\r\n`),
    },
    {
      name: 'A body of 10 GB, of a page that is asked for its status',
      type: 'http',
      status: 'up',
      cause: null,
      start: endless,
    },
    {
      name: 'A body of 10 GB without the keyword in its first 2 MiB',
      type: 'keyword',
      status: 'down',
      cause: 'keyword "OK" not found in 2,097,152 bytes',
      start: endless,
    },
    ...Object.entries(unfoldingBodies()).map(
      ([encoding, body]): Case => ({
        name: `Decompression bomb: 64 MiB in ${encoding}`,
        type: 'keyword',
        status: 'down',
        cause: 'keyword "OK" not found in 2,097,152 bytes',
        start: bomb(encoding, body),
      }),
    ),
    {
      name: 'Decompression bomb: zstd that wants 128 MiB set aside',
      type: 'keyword',
      status: 'down',
      cause: 'answer could not be decoded (zstd: <what is wrong>)',
      start: bomb('zstd', wideZstd),
    },
    {
      name: 'The body is not what its encoding says',
      type: 'keyword',
      status: 'down',
      cause: 'answer could not be decoded (gzip: incorrect header check)',
      start: saying('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nhello'),
    },
    ...Object.entries({
      gzip: zlib.gzipSync(PAGE),
      deflate: zlib.deflateSync(PAGE),
      br: zlib.brotliCompressSync(PAGE),
      zstd: zlib.zstdCompressSync(PAGE),
    }).map(
      ([encoding, body]): Case => ({
        name: `The body ends before its ${encoding} does, without the keyword`,
        type: 'keyword',
        status: 'down',
        cause: `answer could not be decoded (${encoding}: cut short)`,
        start: answering((_, response) =>
          response.writeHead(200, { 'Content-Encoding': encoding }).end(body.subarray(0, -5)),
        ),
      }),
    ),
    {
      name: 'The body ends before its gzip does, behind the keyword',
      type: 'keyword',
      status: 'up',
      cause: null,
      start: answering(
        (_, response) =>
          response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(zlib.gzipSync(PAGE).subarray(0, -5)),
        WORD,
      ),
    },
    {
      name: 'The encoding is an unknown one',
      type: 'keyword',
      status: 'up',
      cause: null,
      start: saying('HTTP/1.1 200 OK\r\nContent-Encoding: utf-8\r\n\r\nOK'),
    },
    {
      name: 'The keyword is composed of other characters (NFC, NFD)',
      type: 'keyword',
      status: 'up',
      cause: null,
      start: answering((_, response) => response.end(PAGE.normalize('NFD')), WORD),
    },
    {
      name: 'HEAD is asked for: its answer has no text',
      type: 'keyword',
      status: 'down',
      cause: 'keyword "OK" not found in 0 bytes',
      start: async (scope) => {
        const started = at(await startHttp(scope, (_, response) => response.end('OK')))
        return { ...started, settings: { ...started.settings, http_method: 'HEAD' } }
      },
    },
    {
      name: 'An error page with status 200, without the keyword',
      type: 'keyword',
      status: 'down',
      cause: 'keyword "OK" not found in 20 bytes',
      start: answering((_, response) => response.end('Something went wrong')),
    },
    ...Object.entries({
      identity: Buffer.from(PAGE),
      gzip: zlib.gzipSync(PAGE),
      deflate: zlib.deflateSync(PAGE),
      br: zlib.brotliCompressSync(PAGE),
      zstd: zlib.zstdCompressSync(PAGE),
    }).map(
      ([encoding, body]): Case => ({
        name: `The keyword lies across chunks, in ${encoding}`,
        type: 'keyword',
        status: 'up',
        cause: null,
        start: inPieces(encoding, body),
      }),
    ),
    ...Object.entries({
      'text/html; charset=iso-8859-1': Buffer.from(PAGE, 'latin1'),
      'text/html; charset=utf-16le': utf16,
      'text/html; charset=utf-16be': Buffer.from(utf16).swap16(),
    }).map(
      ([contentType, body]): Case => ({
        name: `The keyword is written in ${contentType.split('=')[1]}`,
        type: 'keyword',
        status: 'up',
        cause: null,
        start: inCharset(contentType, body),
      }),
    ),
    {
      name: 'The keyword is written in iso-8859-1, as only the XML declaration says',
      type: 'keyword',
      status: 'up',
      cause: null,
      start: inCharset('application/rss+xml', Buffer.from(`${XML_DECLARATION}${PAGE}`, 'latin1')),
    },
  ],
}
