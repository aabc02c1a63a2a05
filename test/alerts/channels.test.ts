import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { send } from '../../src/alerts/channels.ts'
import { ContactConfigs } from '../../src/core/alerting/contact.ts'
import type { Giver } from '../../src/net/address-policy.ts'
import { createNetwork } from '../../src/net/network.ts'
import { selfSigned } from '../support/servers/certificates.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { sendingTo } from '../support/servers/receivers-alert.ts'
import {
  apiUrlsAt,
  channelsFor,
  configs,
  httpTypes,
  sendOver,
} from '../support/servers/receivers-channels.ts'
import { CALM_LOOP } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { turnClock } from '../support/time/turned-clock.ts'

/** Vendors have one address for everybody, which the operator sets; a browser names its push service. */
const GIVERS: Partial<Record<(typeof httpTypes)[number], Giver>> = {
  telegram: 'operator',
  pagerduty: 'operator',
  pushover: 'operator',
  sms: 'operator',
  webpush: 'stranger',
}
const atHost = (text: string, host: string) =>
  text.replaceAll(/(?<=\/\/)(?:127\.0\.0\.1|203\.0\.114\.1)(?=:)/g, host)

for (const type of httpTypes) {
  const giver = GIVERS[type] ?? 'member'
  describe(`any failure of a ${type} is an outcome`, () => {
    const table: [statusCode: number, headers: Record<string, string>, kind: string, wait: number | null][] =
      [
        [429, { 'retry-after': '30' }, 'retry', 30],
        [503, { 'retry-after': 'Sat, 21 Nov 2026 09:31:05 GMT' }, 'retry', 60],
        [500, {}, 'retry', null],
        [404, {}, 'rejected', null],
      ]
    for (const [statusCode, headers, kind, wait] of table) {
      test(`HTTP ${statusCode} ${JSON.stringify(headers)} is ${kind}`, async (t) => {
        const outcome = await sendOver(type, await startReceiver(t, replyWith(statusCode, 'no', headers)))
        assert.equal(outcome.kind, kind)
        assert.equal(outcome.statusCode, statusCode)
        assert.equal(outcome.detail, `HTTP ${statusCode}: no`)
        if (outcome.kind === 'retry') assert.equal(outcome.retryAfterSeconds, wait)
      })
    }

    test('a redirect is not followed, and the log says so', async (t) => {
      const elsewhere = await startReceiver(t, replyWith(200))
      const receiver = await startReceiver(t, replyWith(302, '', { location: elsewhere.url }))
      const outcome = await sendOver(type, receiver)
      assert.equal(outcome.kind, 'retry')
      assert.equal(outcome.detail, 'HTTP 302 (redirects are not followed)')
      assert.equal(elsewhere.requests.length, 0)
    })

    test('silence is tried again', async (t) => {
      const clock = turnClock(t)
      const asked = Promise.withResolvers<void>()
      const receiver = await startReceiver(t, () => asked.resolve())
      const sending = sendOver(type, receiver, { attemptTimeoutMs: 300 })
      assert.deepEqual(await clock.passLimit(300, sending, asked.promise), {
        kind: 'retry',
        statusCode: null,
        detail: 'no answer within 0.3 s (connected, waiting for the first byte)',
        retryAfterSeconds: null,
      })
    })

    test(`a private address is judged by who gave it: ${giver}`, async (t) => {
      const receiver = await startReceiver(t, replyWith(200))
      const hostsFile = join(temporaryFolder(t), 'hosts')
      await writeFile(hostsFile, '127.0.0.1 inside.example\n')
      for (const setting of ['allow', 'deny'] as const) {
        const options = { privateTargets: setting, hostsFile, nameServers: ['127.0.0.1:1'] }
        const network = { ...createNetwork(options), loop: CALM_LOOP }
        const sendTo = (host: string) => {
          const config = JSON.parse(atHost(JSON.stringify(configs[type](receiver)), host))
          const apiUrls = apiUrlsAt(atHost(receiver.url, host))
          return sendOver(type, receiver, { network, apiUrls }, {}, config)
        }
        const byAddress = await sendTo('127.0.0.1')
        const byName = await sendTo('inside.example')
        const isRefused = giver === 'stranger' || (giver === 'member' && setting === 'deny')
        assert.equal(receiver.requests.splice(0).length, isRefused ? 0 : 2, setting)
        if (!isRefused) continue
        const detail = 'address 127.0.0.1 is not allowed'
        assert.deepEqual(byAddress, { kind: 'rejected', statusCode: null, detail })
        assert.deepEqual([byName.kind, byName.detail], ['retry', detail], 'it may lead elsewhere later')
      }
    })

    test('a secret in an address or a header stays out of the log, however it is quoted', async (t) => {
      const quotes: ((url: URL) => string)[] = [
        ({ pathname, search }) => `no ${pathname}${search} here`,
        ({ pathname }) => `no route for ${decodeURIComponent(pathname)}`,
        ({ pathname, search }) => JSON.stringify(`${pathname}${search}`).replaceAll('/', '\\/'),
        ({ pathname, searchParams }) =>
          `token ${pathname.split(/[:/]/).join(' ')} ${searchParams.get('key')}`,
      ]
      for (const quote of quotes) {
        // The secret of some types is in a header, or in the body.
        const receiver = await startReceiver(t, (response, { path, headers, body }) => {
          const quoted = [quote(new URL(path, 'http://localhost')), ...Object.values(headers), body]
          response.writeHead(404).end(quoted.join(' '))
        })
        const { detail } = await sendOver(type, receiver)
        assert.match(detail, /^HTTP 404: .*\*{8}/)
        assert.doesNotMatch(detail, /sEcReT|AAHdq/, detail)
      }
    })

    test('a long answer is cut to one line of 500 characters', async (t) => {
      const receiver = await startReceiver(t, replyWith(400, 'é\0\n'.repeat(3_000)))
      const { detail } = await sendOver(type, receiver)
      assert.equal([...detail].length, 500)
      assert.match(detail, /^HTTP 400: é é .*…$/)
    })
  })
}

test('an unforeseen error is an outcome too, and quotes nothing', async () => {
  const config = { url: 'no address: s3cr3t' }
  assert.deepEqual(await send(channelsFor(), 'webhook', sendingTo(config)), {
    kind: 'retry',
    statusCode: null,
    detail: 'internal error (TypeError)',
    retryAfterSeconds: null,
  })
})

describe('a receiver with a certificate that nothing vouches for', () => {
  const certificate = selfSigned({ names: ['localhost'] })
  const choosing = httpTypes.filter((type) => 'verify_tls' in ContactConfigs[type].shape)

  test('may be one of these types', () => {
    assert.deepEqual(choosing.toSorted(), ['gotify', 'matrix', 'mattermost', 'ntfy', 'webhook'])
  })

  for (const type of choosing) {
    test(`is sent nothing by ${type}, unless the contact says so`, async (t) => {
      const receiver = await startReceiver(t, replyWith(200, '{}'), certificate)
      const config = configs[type](receiver)
      const refused = await send(channelsFor(), type, sendingTo(config))
      assert.deepEqual([refused.kind, receiver.requests.length], ['retry', 0])
      assert.match(refused.detail, /certificate is self-signed/)
      const taken = await send(channelsFor(), type, sendingTo({ ...config, verify_tls: 'no' as const }))
      assert.equal(taken.kind, 'sent', taken.detail)
      assert.ok(receiver.requests.length > 0)
    })
  }
})
