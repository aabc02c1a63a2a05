import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { HttpMethod } from '../../src/core/monitors/options/request.ts'
import { mayFollow, methodAfter, REDIRECTS } from '../../src/core/monitors/redirect.ts'
import { maskedAddress } from '../../src/core/teams/access.ts'
import { policyAt } from '../../src/net/resolve.ts'
import { sample } from '../support/at-length.ts'
import { atPublicAddress, reachPublicHere } from '../support/net/public-here.ts'
import { startRecording } from '../support/net/recording-target.ts'
import { suiteScope } from '../support/scope.ts'
import { type Reply, startDnsServer } from '../support/servers/dns-server.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

const INSIDE = '127.0.0.1'
/** Two servers that a public address has, too. */
const [OWN_PRIVATE, OTHER] = ['127.0.0.2', '127.0.0.3']
const [PUBLIC_ONE, PUBLIC_TWO] = [atPublicAddress(OWN_PRIVATE), atPublicAddress(OTHER)]
/** Where a name leads that has been bound anew. */
const REBOUND = '127.0.0.77'
const OWN_NAME = 'own.example'
const METHODS = sample<HttpMethod>(['GET', 'POST', 'DELETE', 'HEAD', 'PUT', 'PATCH'], 2)

/** Ways to write the address of a server inside, with the address that a check says it was led to. */
const PLACES = sample<[host: string, address: string]>(
  [
    ['127.0.0.1', INSIDE],
    ['inside.example', INSIDE],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['localhost', '::1'],
    ['2130706433', INSIDE],
    ['0x7f.1', INSIDE],
  ],
  3,
)

/** The address of the monitor: as it is written, and where it is. */
const OWN: [kind: 'public' | 'private', written: 'literal' | 'name', address: string][] = [
  ['public', 'literal', PUBLIC_ONE],
  ['public', 'name', PUBLIC_ONE],
  ['private', 'literal', OWN_PRIVATE],
  ['private', 'name', OWN_PRIVATE],
]

describe('a redirect into a private network', () => {
  const scope = suiteScope()
  const replies: Record<string, Reply> = {
    'inside.example': [INSIDE],
    'both.example': [INSIDE, PUBLIC_TWO],
    'elsewhere.example': [PUBLIC_TWO],
  }
  let resolver: Awaited<ReturnType<typeof startDnsServer>>
  /** At a public address and at a private one; it leads to `next` with `status`. */
  let own: Awaited<ReturnType<typeof startRecording>>
  /** At another public address; it leads to `after`. */
  let other: Awaited<ReturnType<typeof startRecording>>
  let inside: Awaited<ReturnType<typeof startRecording>>
  /** At the port of `own`, where a name leads that has been bound anew. */
  let rebound: Awaited<ReturnType<typeof startRecording>>
  let answer = { status: 302, location: '', after: '' }
  let onAsked = () => {}

  before(async () => {
    reachPublicHere()
    resolver = await startDnsServer(scope, replies)
    inside = await startRecording(scope, (_, response) => void response.end('OK'), INSIDE)
    other = await startRecording(
      scope,
      (_, response) => {
        if (answer.after !== '') response.writeHead(302, { location: answer.after })
        response.end('OK')
      },
      OTHER,
    )
    own = await startRecording(
      scope,
      (_, response) => {
        onAsked()
        response.writeHead(answer.status, { location: answer.location, 'set-cookie': 'own=1' }).end()
      },
      OWN_PRIVATE,
    )
    rebound = await startRecording(scope, (_, response) => void response.end('OK'), REBOUND, own.port)
  })

  const network = (options: Parameters<typeof testNetwork>[0] = {}) =>
    testNetwork({ nameServers: [resolver.address], ...options })
  const urlOf = (written: 'literal' | 'name', address: string) => {
    if (written === 'name') replies[OWN_NAME] = [address]
    return `http://${written === 'name' ? OWN_NAME : address}:${own.port}/`
  }
  const taken = () => inside.arrivals.splice(0).map(({ method, path }) => `${method} ${path}`)

  for (const [kind, written, address] of OWN)
    for (const method of METHODS) {
      it(`is ${kind === 'public' ? 'not ' : ''}followed by a ${method} to a ${kind} address, a ${written}`, async () => {
        onAsked = () => {}
        for (const [host, refused] of PLACES)
          for (const status of REDIRECTS) {
            const about = `${status} to ${host}`
            const accepted = inside.accepted()
            answer = { status, location: `http://${host}:${inside.port}/delete?all=1`, after: '' }
            const url = urlOf(written, address)
            const result = await check('http', { url, http_method: method }, { network: network() })
            const next = methodAfter(method, status)
            if (!mayFollow(next, false)) {
              assert.match(
                result.errorMessage ?? '',
                new RegExp(`^redirects ${next} to another origin: `),
                about,
              )
            } else if (kind === 'public') {
              assert.equal(result.errorMessage, `redirects to a private address: ${refused}`, about)
            } else {
              assert.equal(result.status, 'up', `${about}: ${result.errorMessage}`)
              assert.deepEqual(taken(), [`${next} /delete?all=1`], about)
              continue
            }
            assert.equal(result.status, 'down', about)
            assert.equal(result.httpStatusCode, status, about)
            assert.equal(inside.accepted(), accepted, about)
          }
      })

      if (written === 'name')
        it(`of a name that is bound anew is ${kind === 'public' ? 'not ' : ''}followed by a ${method} from a ${kind} address`, async () => {
          for (const status of REDIRECTS) {
            const url = urlOf(written, address)
            onAsked = () => {
              replies[OWN_NAME] = [REBOUND]
            }
            const accepted = rebound.accepted()
            answer = { status, location: '/next', after: '' }
            const result = await check('http', { url, http_method: method }, { network: network() })
            if (kind === 'private') {
              assert.equal(result.status, 'up', result.errorMessage ?? '')
              const arrived = rebound.arrivals.splice(0).map((arrival) => `${arrival.method} ${arrival.path}`)
              assert.deepEqual(arrived, [`${methodAfter(method, status)} /next`])
              continue
            }
            assert.equal(result.errorMessage, `redirects to a private address: ${REBOUND}`)
            assert.equal(result.status, 'down')
            assert.equal(rebound.accepted(), accepted)
          }
        })
    }

  const checkFrom = async (
    address: string,
    led: Partial<typeof answer>,
    options: Parameters<typeof testNetwork>[0] = {},
    type: 'http' | 'keyword' = 'http',
  ) => {
    onAsked = () => {}
    answer = { status: 302, location: '/', after: '', ...led }
    return await check(type, { url: urlOf('literal', address) }, { network: network(options) })
  }

  it('is an answer of the target: its status, address, time and headers are kept', async () => {
    for (const type of ['http', 'keyword'] as const) {
      const location = `http://inside.example:${inside.port}/?token=x`
      const result = await checkFrom(PUBLIC_ONE, { location }, {}, type)
      const { status, httpStatusCode, errorMessage, address, answer: kept } = result
      assert.deepEqual(
        [status, httpStatusCode, errorMessage, address],
        ['down', 302, `redirects to a private address: ${INSIDE}`, PUBLIC_ONE],
      )
      assert.notEqual(result.responseTimeMs, null)
      assert.notEqual(result.phases?.firstByteMs, null)
      assert.equal(kept?.status_line, 'HTTP/1.1 302 Found')
      const shown = maskedAddress(location)
      assert.ok(kept?.headers.some(({ name, value }) => name === 'location' && value === shown))
      assert.equal('note' in result, false)
    }
    assert.deepEqual(taken(), [])
  })

  it('is not followed from the second public server on, nor from one that a private one led to', async () => {
    const location = `http://elsewhere.example:${other.port}/`
    for (const from of [PUBLIC_ONE, OWN_PRIVATE])
      for (const host of ['inside.example', INSIDE]) {
        const result = await checkFrom(from, { location, after: `http://${host}:${inside.port}/` })
        assert.equal(result.errorMessage, `redirects to a private address: ${INSIDE}`)
        assert.equal(result.address, PUBLIC_TWO)
      }
    assert.deepEqual(taken(), [])
  })

  it('is none between public addresses; of a name with several, only public ones are dialled', async () => {
    other.arrivals.splice(0)
    for (const host of ['elsewhere.example', PUBLIC_TWO, 'both.example']) {
      const result = await checkFrom(PUBLIC_ONE, { location: `http://${host}:${other.port}/` })
      assert.equal(result.status, 'up', result.errorMessage ?? '')
      assert.equal(result.address, PUBLIC_TWO)
      assert.equal(other.arrivals.splice(0).length, 1)
    }
    assert.deepEqual(taken(), [])
  })

  it('is followed where the operator allows it, with a GET, and by nobody who denies private targets', async () => {
    const location = `http://inside.example:${inside.port}/x`
    const allowed = { privateRedirects: 'allow' } as const
    assert.equal((await checkFrom(PUBLIC_ONE, { location }, allowed)).status, 'up')
    assert.deepEqual(taken(), ['GET /x'])
    const metadata = await checkFrom(PUBLIC_ONE, { location: 'http://169.254.169.254/' }, allowed)
    assert.equal(metadata.errorMessage, 'address 169.254.169.254 is not allowed')
    const denied = { ...allowed, privateTargets: 'deny' } as const
    const result = await checkFrom(PUBLIC_ONE, { location }, denied)
    assert.equal(result.errorMessage, `address ${INSIDE} is not allowed`)
    const both = await checkFrom(PUBLIC_ONE, { location }, { privateTargets: 'deny' })
    assert.equal(both.errorMessage, `redirects to a private address: ${INSIDE}`)
    assert.deepEqual(taken(), [])
  })

  it('is not followed behind NAT64, where a public host stays one', () => {
    const at = (address: string) => policyAt(network(), 'redirect of a check', address).privateTargets
    // The second is 203.0.114.8 and the third 10.0.0.8.
    assert.deepEqual(['203.0.114.8', '64:ff9b::cb00:7208', '64:ff9b::a00:8', '10.0.0.8'].map(at), [
      'deny',
      'allow',
      'deny',
      'deny',
    ])
    const denying = network({ privateTargets: 'deny' })
    assert.equal(policyAt(denying, 'redirect of a check', '64:ff9b::cb00:7208').privateTargets, 'deny')
  })
})
