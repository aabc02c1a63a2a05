import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createSharedPlaces, leaveSharedPlaces, takeSharedPlace } from '../../../src/probes/browser/places.ts'

const never = new AbortController().signal

describe('places of browsers that threads share', () => {
  it('are as many as there are, and one that is given back goes to one that waits', async () => {
    const places = createSharedPlaces(2)
    const first = await takeSharedPlace(places, 0, never)
    assert.ok(await takeSharedPlace(places, 1, never))
    let isTaken = false
    const waiting = takeSharedPlace(places, 2, never).then((leave) => {
      isTaken = true
      return leave
    })
    await turn()
    assert.equal(isTaken, false)
    first?.()
    assert.ok(await waiting)
  })

  it('are not waited for any longer than a signal says', async () => {
    const places = createSharedPlaces(1)
    await takeSharedPlace(places, 1, never)
    const stop = new AbortController()
    const waiting = takeSharedPlace(places, 2, stop.signal)
    stop.abort()
    assert.equal(await waiting, null)
  })

  it('of a thread that has ended are free again', async () => {
    const places = createSharedPlaces(1)
    await takeSharedPlace(places, 1, never)
    const waiting = takeSharedPlace(places, 2, never)
    leaveSharedPlaces(places, 1)
    assert.ok(await waiting)
  })
})
