import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADDRESS_KINDS,
  type AddressKind,
  type AddressPolicy,
  addressRefusal,
  giverOf,
  isPublicAddress,
  policyOf,
} from '../../src/net/address-policy.ts'
import { dial } from '../../src/net/dial.ts'
import { startHttp } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'

test('what strangers name is judged by deny whatever the setting, what members name by it, the operator reaches all', () => {
  const reaches = (kind: AddressKind, setting: 'allow' | 'deny') =>
    addressRefusal(policyOf(kind, setting), '127.0.0.1') === null
  for (const kind of ADDRESS_KINDS) {
    const expected = {
      operator: [true, true],
      member: [true, false],
      stranger: [false, false],
    }[giverOf(kind)]
    assert.deepEqual([reaches(kind, 'allow'), reaches(kind, 'deny')], expected, kind)
    for (const setting of ['allow', 'deny'] as const) {
      assert.notEqual(addressRefusal(policyOf(kind, setting), '169.254.169.254'), null, kind)
      assert.equal(addressRefusal(policyOf(kind, setting), '203.0.114.7'), null, kind)
    }
  }
  assert.deepEqual(['203.0.114.7', '10.0.0.1', '::1'].map(isPublicAddress), [true, false, false])
})

test('a server of this machine is dialled for the operator, and for members who may, and for no stranger', async (t) => {
  const target = await startHttp(t, (_, response) => response.end())
  const never = new AbortController().signal
  for (const setting of ['allow', 'deny'] as const)
    for (const kind of ADDRESS_KINDS) {
      const network = testNetwork({ privateTargets: setting })
      const mayReach = giverOf(kind) === 'operator' || (giverOf(kind) === 'member' && setting === 'allow')
      for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
        const dialed = await dial(network, { kind, host, port: target.port }, never)
        assert.equal(dialed.kind, mayReach ? 'connected' : 'failed', `${kind} at ${host} under ${setting}`)
        if (dialed.kind === 'connected') dialed.socket.destroy()
        else
          assert.match(
            dialed.kind === 'failed' ? dialed.reason : '',
            /^(?:address \S+ is not allowed|redirects to a private address: \S+)$/,
          )
      }
    }
})

/** Each line is one that must not compile: the type check of `npm test` fails where one does. */
test('no address is dialled without a kind of the table, and no policy is made by hand', async () => {
  const never = AbortSignal.abort()
  const place = { host: '127.0.0.1', port: 1 }
  // @ts-expect-error A kind is missing.
  const without = () => dial(testNetwork(), place, never)
  // @ts-expect-error There is no such kind in the table.
  const unlisted = () => dial(testNetwork(), { kind: 'avatar', ...place }, never)
  // @ts-expect-error A setting is no policy.
  const raw = () => addressRefusal('allow', '10.0.0.1')
  // @ts-expect-error A policy is not made but taken from the table.
  const made: AddressPolicy = { privateTargets: 'allow' }
  assert.equal([without, unlisted, raw, made].length, 4)
})
