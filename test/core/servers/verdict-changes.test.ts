import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_THRESHOLDS, type ThresholdChanges } from '../../../src/core/servers/condition.ts'
import { JudgedServer } from '../../support/records/judged-server.ts'

const FULL = { 'file_system_used_percent:/var': 93 }
const { disk_space: SPACE, silent: SILENT } = DEFAULT_THRESHOLDS
const CHANGED = 'the threshold was changed'
const OFF = 'the threshold was switched off'

/** A server whose disk is told to be full since minute 10, after a change of its threshold before minute 20. */
function changedServer(changes: Partial<typeof SPACE>): JudgedServer {
  const server = new JudgedServer()
  server.reports(0, 20, FULL)
  server.set({ disk_space: { ...SPACE, ...changes } })
  return server
}

describe('a threshold that is changed while its condition is on', () => {
  const table: [what: string, changes: Partial<typeof SPACE>, status: string, told: string[]][] = [
    ['switched off', { is_on: false }, 'up', [`ends: ${OFF}`]],
    ['raised above the value', { enter: 95 }, 'up', [`ends: ${CHANGED}`]],
    ['lowered', { enter: 80, leave: 75 }, 'down', []],
    ['raised below the value', { enter: 92 }, 'down', []],
    ['given another level to leave', { leave: 50 }, 'down', []],
    ['given another time', { minutes: 60 }, 'down', []],
    [
      'made to warn only',
      { warns_only: true },
      'degraded',
      [`ends: ${CHANGED}`, 'warns: /var is 93 % full (18.6 of 20 GB)'],
    ],
  ]
  for (const [what, changes, status, told] of table) {
    test(`${what}: ${told.join(', ') || 'nothing is told'}`, () => {
      const server = changedServer(changes)
      assert.equal(server.report(20, FULL), status)
      assert.deepEqual(
        server.told.slice(1).map(([, event, , cause]) => `${event}: ${cause}`),
        told,
      )
      server.reports(21, 40, FULL)
      assert.equal(server.told.length, 1 + told.length)
    })
  }

  test('in its level to leave, ends by that', () => {
    const server = changedServer({ leave: 50 })
    assert.equal(server.reports(20, 60, { 'file_system_used_percent:/var': 51 }), 'down')
    assert.equal(server.reports(60, 71, { 'file_system_used_percent:/var': 50 }), 'up')
  })

  test('is judged by what comes next, not by an absent value', () => {
    const server = changedServer({ enter: 95 })
    const none = { 'file_system_used_percent:/var': undefined, 'file_system_used_percent:/': undefined }
    assert.equal(server.report(20, none), 'down')
    assert.equal(server.report(21, FULL), 'up')
  })

  test('ends without a report where it was switched off', () => {
    const server = changedServer({ is_on: false })
    assert.equal(server.silence(20), 'up')
    assert.deepEqual(server.told.at(-1), [20, 'ends', 'disk_space:/var', OFF])
  })
})

describe('the time of silence', () => {
  const table: [what: string, changes: Partial<typeof SILENT>, status: string, told: string[]][] = [
    ['switched off', { is_on: false }, 'up', [`ends: ${OFF}`]],
    ['made longer than the silence', { seconds: 3_600 }, 'up', [`ends: ${CHANGED}`]],
    ['made longer, but not as long', { seconds: 300 }, 'down', []],
    [
      'made to warn only',
      { warns_only: true },
      'degraded',
      [`ends: ${CHANGED}`, 'warns: no report for 10 minutes'],
    ],
  ]
  for (const [what, changes, status, told] of table) {
    test(`${what} during a silence: ${told.join(', ') || 'nothing is told'}`, () => {
      const server = new JudgedServer()
      server.report(0)
      server.silence(3)
      server.set({ silent: { ...SILENT, ...changes } })
      assert.equal(server.silence(10), status)
      assert.deepEqual(
        server.told.slice(1).map(([, event, , cause]) => `${event}: ${cause}`),
        told,
      )
    })
  }

  test('warns where it is to warn only, and is not judged where it is off', () => {
    const made = (silent: ThresholdChanges['silent']) => {
      const server = new JudgedServer({ silent })
      server.report(0)
      return server
    }
    assert.equal(made({ ...SILENT, warns_only: true }).silence(10), 'degraded')
    assert.equal(made({ ...SILENT, is_on: false }).silence(10), 'up')
  })

  test('leaves what the reports told as it was', () => {
    const server = new JudgedServer()
    server.reports(0, 20, FULL)
    assert.equal(server.silence(30), 'down')
    assert.equal(server.report(31, FULL), 'down')
    assert.deepEqual(
      server.told.map(([minute, event, key]) => `${minute} ${event} ${key}`),
      ['10 begins disk_space:/var', '30 begins silent', '31 ends silent'],
    )
  })

  test('is told to the second below two minutes, and to the minute above', () => {
    const server = new JudgedServer({ silent: { ...SILENT, seconds: 90 } })
    server.report(0)
    server.silence(1.505)
    server.report(2)
    server.silence(65.9)
    assert.deepEqual(
      server.told.filter(([, event]) => event === 'begins').map(([, , , cause]) => cause),
      ['no report for 1 minute 30 seconds', 'no report for 1 hour 3 minutes'],
    )
  })
})
