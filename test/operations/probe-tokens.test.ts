import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { PROBE_PROTOCOL, ProbeRefusal } from '../../src/core/remote-probe.ts'
import { createProbeNews } from '../../src/operations/probe-news.ts'
import { createProbe, listProbes } from '../../src/operations/probe-tokens.ts'
import { createProbeDesk } from '../../src/operations/remote-probes.ts'
import type { Services } from '../../src/operations/services.ts'
import { openTestDatabase } from '../support/database.ts'
import { suiteScope } from '../support/scope.ts'

const DAY_MS = 86_400_000

describe('a token of remote probes', () => {
  const scope = suiteScope()
  let services: Services
  let at = new Date()

  before(async () => {
    const { db, vault, close } = await openTestDatabase()
    scope.after(close)
    services = { db, vault, now: () => at } as Services
  })

  it('works until it expires; then its probes end, and others have what they held', async () => {
    const desk = createProbeDesk(
      services,
      createProbeNews(() => 0),
    )
    const expires = new Date(at.getTime() + DAY_MS)
    const made = await createProbe(services, {
      region: 'nyc',
      name: 'Newark',
      expires: expires.toISOString(),
    })
    assert.equal(Date.parse(made.expires_at ?? ''), expires.getTime())
    const endless = await createProbe(services, { region: 'nyc', name: 'For ever' })
    assert.equal(endless.expires_at, null)
    assert.deepEqual(
      (await listProbes(services)).map(({ name, expires_at }) => [name, expires_at]),
      [
        ['Newark', made.expires_at],
        ['For ever', null],
      ],
    )

    const join = async (token: string) => {
      const holder = await desk.authenticate(token)
      const asked = { version: PROBE_PROTOCOL, session: randomUUID(), region: 'nyc', host: 'there', pid: 1 }
      return await desk.answer.join(holder, asked)
    }
    const members = async () => {
      const { rows } = await services.db.pool.query('SELECT id FROM probers ORDER BY id')
      return rows.map(({ id }) => id)
    }
    const [mortal, other] = [await join(made.token), await join(endless.token)]
    assert.deepEqual(await members(), [mortal.membership, other.membership])

    at = expires
    await assert.rejects(desk.authenticate(made.token), (error) => {
      assert.ok(error instanceof ProbeRefusal && error.code === 'revoked')
      assert.match(error.message, /^the token "Newark" expired at .*: make another one$/)
      return true
    })
    assert.deepEqual(await members(), [other.membership])
    assert.equal((await desk.authenticate(endless.token)).name, 'For ever')
  })

  it('is not made for a time that is over', async () => {
    for (const expires of [at.toISOString(), '2001-01-31', 'soon']) {
      await assert.rejects(createProbe(services, { region: 'nyc', name: 'Late', expires }), (error) => {
        const { members } = error as { members: { errors: Record<string, string[]> } }
        assert.deepEqual(Object.keys(members.errors), ['expires'])
        return true
      })
    }
  })
})
