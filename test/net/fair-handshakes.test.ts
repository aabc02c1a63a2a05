import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultWithout } from '../../src/core/monitors/check.ts'
import { createNetwork } from '../../src/net/network.ts'
import { networkFor, onBehalfOf, usingTeam } from '../../src/net/on-behalf-of.ts'
import { attempt } from '../../src/probes/attempt.ts'
import { settingsFor, testNetwork } from '../support/servers/targets-settings.ts'

test('handshakes of a team that never end leave room to another team', async () => {
  const { handshakes } = createNetwork({ privateTargets: 'allow' })
  let entered = 0
  for (let n = 0; n < 1_000; n++) {
    void onBehalfOf(1, () => handshakes.enter(usingTeam())).then(() => entered++)
  }
  assert.equal(await onBehalfOf(2, () => handshakes.enter(usingTeam())), true)
  assert.ok(entered < 64)
})

test('work goes on for its team after it has waited', async () => {
  const teams = await Promise.all(
    [1, 2, 3].map((team) =>
      onBehalfOf(team, async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return usingTeam()
      }),
    ),
  )
  assert.deepEqual([...teams, usingTeam()], [1, 2, 3, 0])
})

test('the network of a check is that of its team, with the places that all share', async () => {
  const network = testNetwork()
  const used = async (team: { team_id?: number }) => {
    const seen: unknown[] = []
    const settings = settingsFor('http', team)
    const { signal } = new AbortController()
    await attempt(network, settings, signal, async ({ network: own }) => {
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(usingTeam(own), own.handshakes === network.handshakes)
      return { ...resultWithout('down', ''), responseTimeMs: 0 }
    })
    return seen
  }
  assert.deepEqual(await Promise.all([used({ team_id: 1 }), used({ team_id: 2 }), used({})]), [
    [1, true],
    [2, true],
    [0, true],
  ])
  assert.equal(networkFor(network, 1), networkFor(network, 1))
  assert.deepEqual(await onBehalfOf(3, () => used({})), [3, true])
})
