import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventFrame, readNews } from '../../src/core/live-event.ts'

const NEWS = {
  team_id: 7,
  event: 'monitor' as const,
  data: { id: 5, status: 'down' as const, is_active: true },
}

test('an event is one frame of the stream, whatever its data hold', () => {
  assert.equal(eventFrame(NEWS), 'event: monitor\ndata: {"id":5,"status":"down","is_active":true}\n\n')
  const at = '2026-11-21T09:30:00.000000Z\n\nevent: forged'
  assert.equal(eventFrame({ event: 'hello', data: { at } }).split('\n').length, 4)
})

describe('news of another process', () => {
  test('are read as they were told', () => {
    assert.deepEqual(readNews(JSON.stringify(NEWS)), NEWS)
  })

  const unknown: [what: string, payload: string][] = [
    ['no JSON', 'monitor 5'],
    ['nothing', 'null'],
    ['news of no team', '{"event":"team","data":{}}'],
    ['news without data', '{"team_id":7,"event":"team"}'],
    ['an event of a newer version', '{"team_id":7,"event":"party","data":{}}'],
    ['a name that every object has', '{"team_id":7,"event":"toString","data":{}}'],
  ]
  for (const [what, payload] of unknown) {
    test(`are left alone when they are ${what}`, () => {
      assert.equal(readNews(payload), null)
    })
  }
})
