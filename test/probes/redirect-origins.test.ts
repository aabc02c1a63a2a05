import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { HttpMethod } from '../../src/core/monitors/options/request.ts'
import { REDIRECTS } from '../../src/core/monitors/redirect.ts'
import { nextHop } from '../../src/probes/hop.ts'
import { type Arrival, recordingIn, startRecording } from '../support/net/recording-target.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { startHttps } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

/** The method after 301, 302, 303, 307 and 308, within the origin and beyond it; `-` where nothing is sent. */
const TABLE: [method: HttpMethod, within: string, beyond: string][] = [
  ['GET', 'GET GET GET GET GET', 'GET GET GET GET GET'],
  ['HEAD', 'HEAD HEAD HEAD HEAD HEAD', 'HEAD HEAD HEAD HEAD HEAD'],
  ['POST', 'GET GET GET POST POST', 'GET GET GET - -'],
  ['PUT', 'PUT PUT GET PUT PUT', '- - GET - -'],
  ['PATCH', 'PATCH PATCH GET PATCH PATCH', '- - GET - -'],
  ['DELETE', 'DELETE DELETE GET DELETE DELETE', '- - GET - -'],
]

/** All that a member can give a request, and that a server of theirs may be meant to see alone. */
const OWN = {
  username: 'ada',
  password: 'secret',
  request_headers: {
    'X-Key': 'k',
    Cookie: 'own=1',
    Referer: 'https://intranet.example/',
    'User-Agent': 'Member',
    'Content-Type': 'application/json',
    'content-language': 'de',
  },
}
const OF_BODY = ['content-type', 'content-language']

const authority = createAuthority('Upbeat Test Root')
const certificate = authority.issue({})

/** Every way to leave an origin: another port, another host, another scheme. */
type Way = 'port' | 'host' | 'scheme'

describe('a redirect', { concurrency: true }, () => {
  for (const [method, within, beyond] of TABLE) {
    test(`of ${method} within an origin keeps what the monitor sends, but for what speaks of a body that is gone`, (t) =>
      eachStatus(within, async (status, expected) => {
        const target = await startRecording(t, (request, response) => {
          if (request.url === '/') response.writeHead(status, { location: '/next', 'set-cookie': 'set=2' })
          response.end()
        })
        const result = await check('http', {
          url: `http://127.0.0.1:${target.port}/`,
          http_method: method,
          ...OWN,
        })
        assert.equal(result.status, 'up', result.errorMessage ?? '')
        const [first, second, ...others] = target.arrivals
        assert.deepEqual(others, [])
        assert.equal(second?.method, expected)
        assert.equal(second?.path, '/next')
        assert.equal(second?.body, '')
        const left = Object.entries(first?.headers ?? {}).filter(
          ([name]) => !OF_BODY.includes(name) || expected === method,
        )
        // Node frames a request that may have a body.
        assert.deepEqual(
          unframed(second),
          unframed({ headers: { ...Object.fromEntries(left), cookie: 'own=1; set=2' } }),
        )
      }))

    for (const way of ['port', 'host', 'scheme'] satisfies Way[])
      test(`of ${method} to another ${way} sends nothing of the monitor's there`, (t) =>
        eachStatus(beyond, async (status, expected) => {
          const { url, network, other, location, arrivals } = await startTwo(t, status, way)
          const result = await check('http', { url, http_method: method, ...OWN }, { network })
          if (expected === '-') {
            assert.equal(result.status, 'down')
            assert.equal(result.errorMessage, `redirects ${method} to another origin: ${location}`)
            assert.equal(result.httpStatusCode, status)
            assert.match(result.answer?.status_line ?? '', new RegExp(`^HTTP/1.1 ${status} `))
            assert.equal(other.accepted(), 0)
            return
          }
          assert.equal(result.status, 'up', result.errorMessage ?? '')
          const [arrival, ...others] = arrivals
          assert.deepEqual(others, [])
          assert.equal(arrival?.method, expected)
          assert.equal(arrival?.body, '')
          const { host, ...headers } = arrival?.headers ?? {}
          assert.equal(host, new URL(location).host)
          assert.deepEqual(headers, {
            'user-agent': 'Upbeat/0.1 (uptime monitoring)',
            accept: '*/*',
            connection: 'close',
            // Cookies belong to hosts, whatever the port and the scheme (RFC 6265, section 8.5).
            ...(way !== 'host' && { cookie: 'set=2' }),
          })
        }))
  }

  test('back to the first origin gets nothing that was dropped on the way', async (t) => {
    const first = await startRecording(t, (request, response) => {
      const location = `http://127.0.0.2:${other.port}/`
      if (request.url === '/') response.writeHead(307, { location })
      response.end()
    })
    const other = await startRecording(
      t,
      (_, response) => response.writeHead(307, { location: `http://127.0.0.1:${first.port}/end` }).end(),
      '127.0.0.2',
    )
    const result = await check('http', { url: `http://127.0.0.1:${first.port}/`, ...OWN })
    assert.equal(result.status, 'up', result.errorMessage ?? '')
    assert.deepEqual(Object.keys(first.arrivals.at(-1)?.headers ?? {}).sort(), [
      'accept',
      'connection',
      'host',
      'user-agent',
    ])
  })

  test('is judged by its own status where the monitor expects it', async (t) => {
    const { url, other } = await startTwo(t, 307, 'port')
    const result = await check('http', { url, http_method: 'POST', expected_status_codes: [307] })
    assert.equal(result.status, 'up')
    assert.equal(other.accepted(), 0)
  })

  test('is none with 304 or 300', () => {
    const hop = { url: new URL('http://a.test/x'), method: 'GET', headers: {} } as const
    assert.equal(nextHop(hop, 304, '/y').kind, 'none')
    assert.equal(nextHop(hop, 300, '/y').kind, 'none')
  })
})

async function eachStatus(
  methods: string,
  prove: (status: number, method: string) => Promise<void>,
): Promise<void> {
  const expected = methods.split(' ')
  assert.equal(expected.length, REDIRECTS.length)
  for (const [index, method] of expected.entries()) await prove(REDIRECTS[index] as number, method)
}

function unframed(arrival: Pick<Arrival, 'headers'> | undefined): Record<string, string> {
  const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = arrival?.headers ?? {}
  return headers
}

/** A target that redirects everything to one of another origin. */
async function startTwo(t: TestContext, status: number, way: Way) {
  const arrivals: Arrival[] = []
  const listener = recordingIn(arrivals, (_, response) => void response.end())
  const host = way === 'host' ? '127.0.0.2' : '127.0.0.1'
  const plain = await startRecording(t, (_, response) => void response.end(), host)
  const other = way === 'scheme' ? await startHttps(t, certificate, listener) : plain
  const location = `${way === 'scheme' ? 'https' : 'http'}://${host}:${other.port}`
  const first = await startRecording(t, (_, response) =>
    response.writeHead(status, { location: `${location}/end`, 'set-cookie': 'set=2' }).end(),
  )
  const network = testNetwork({ extraAuthorities: [authority.pem] })
  const seen = way === 'scheme' ? arrivals : plain.arrivals
  return { url: `http://127.0.0.1:${first.port}/`, network, other, location, arrivals: seen }
}
