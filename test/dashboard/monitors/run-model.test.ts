import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runModel, sayRun } from '../../../dashboard/screens/monitors/chart/run-model.ts'

/** The room beside a chart, in characters: `1 h 15 min`. */
const ROOM = 10

it('says the ticks of durations in so few words that they find room', () => {
  const { steps = [] } = runModel([{ at: 0, seconds: 1 }], 3_600).axis
  assert.ok(steps.length > 10)
  for (const step of steps)
    for (let tick = 1; tick <= 8; tick++)
      assert.ok(sayRun(step * tick).length <= ROOM, `${step} × ${tick}: ${sayRun(step * tick)}`)
})
