import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closedPort, startTcp } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

describe('a tcp check', () => {
  test('is up when the port accepts, whatever the scheme and port of the URL', async (t) => {
    const target = await startTcp(t)
    const result = await check('tcp', { url: 'redis://localhost:1/0', port: target.port })
    assert.equal(result.status, 'up')
    assert.equal(result.errorMessage, null)
    assert.equal(result.httpStatusCode, null)
    assert.ok(Number.isInteger(result.responseTimeMs))
    await target.allClosed()
  })

  test('is up on IPv6', async (t) => {
    const target = await startTcp(t, () => {}, '::1')
    const result = await check('tcp', { url: 'tcp://[::1]', port: target.port })
    assert.equal(result.status, 'up')
  })

  test('reads every spelling of an address as browsers do', async (t) => {
    const target = await startTcp(t)
    for (const host of ['127.1', '0177.0.0.1', '2130706433', '[::ffff:127.0.0.1]']) {
      assert.equal((await check('tcp', { url: `tcp://${host}/`, port: target.port })).status, 'up', host)
      const network = testNetwork({ privateTargets: 'deny' })
      const denied = await check('tcp', { url: `tcp://${host}/`, port: target.port }, { network })
      assert.match(denied.errorMessage ?? '', /^address .* is not allowed$/, host)
    }
    await target.allClosed()
  })

  test('is down when the connection is refused, naming each address', async (t) => {
    const port = await closedPort(t)
    const one = await check('tcp', { url: 'tcp://[::1]', port })
    assert.equal(one.status, 'down')
    assert.equal(one.errorMessage, `connection refused by [::1]:${port}`)
    const both = await check('tcp', { url: 'tcp://localhost', port })
    assert.equal(both.errorMessage, `connection refused by [::1]:${port} and 127.0.0.1:${port}`)
  })
})
