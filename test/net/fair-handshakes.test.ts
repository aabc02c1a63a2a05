import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNetwork } from '../../src/net/network.ts'
import { onBehalfOf, usingTeam } from '../../src/net/on-behalf-of.ts'

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
