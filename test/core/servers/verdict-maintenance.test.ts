import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_THRESHOLDS } from '../../../src/core/servers/condition.ts'
import { atMinute, JudgedServer } from '../../support/records/judged-server.ts'

const DISK = 'file_system_used_percent:/var'
const FULL = { [DISK]: 95 }
const BETWEEN = { [DISK]: 87 }

function told(server: JudgedServer) {
  return server.told.map(([minute, event, key]) => `${minute} ${event} ${key}`)
}

describe('a server under maintenance', () => {
  test('tells nothing of what begins and ends inside', () => {
    const server = new JudgedServer()
    server.cover(true)
    assert.equal(server.reports(0, 10, FULL), 'up')
    assert.equal(server.reports(10, 30, FULL), 'maintenance')
    assert.equal(server.reports(30, 60), 'up')
    server.cover(false, 60)
    assert.equal(server.reports(60, 90), 'up')
    assert.deepEqual(told(server), [])
  })

  test('tells at the end what still holds, as beginning then', () => {
    const server = new JudgedServer()
    server.cover(true)
    server.reports(0, 60, FULL)
    server.cover(false, 59.5)
    assert.equal(server.report(60, FULL), 'down')
    assert.deepEqual(told(server), ['60 begins disk_space:/var'])
    assert.deepEqual(server.startedAt, [atMinute(59.5)])
    assert.equal(server.reports(61, 80), 'up')
    assert.deepEqual(told(server).slice(1), ['71 ends disk_space:/var'])
  })

  test('tells at the end what has not reached the level to leave', () => {
    const server = new JudgedServer()
    server.cover(true)
    server.reports(0, 30, FULL)
    server.reports(30, 60, BETWEEN)
    server.cover(false, 60)
    assert.equal(server.report(60, BETWEEN), 'down')
  })

  test('tells nothing of what is ending at the end, unless it comes back', () => {
    for (const comesBack of [false, true]) {
      const server = new JudgedServer()
      server.cover(true)
      server.reports(0, 55, FULL)
      assert.equal(server.reports(55, 60), 'maintenance')
      server.cover(false, 60)
      assert.equal(server.reports(60, 62), 'up')
      assert.equal(server.reports(62, 80, comesBack ? FULL : {}), comesBack ? 'down' : 'up')
      assert.deepEqual(told(server), comesBack ? ['62 begins disk_space:/var'] : [])
    }
  })

  test('does not stop the time that a condition takes to begin', () => {
    const server = new JudgedServer()
    server.cover(true)
    server.reports(0, 5, FULL)
    server.cover(false, 5)
    assert.equal(server.reports(5, 11, FULL), 'down')
    assert.deepEqual(told(server), ['10 begins disk_space:/var'])
    assert.deepEqual(server.startedAt, [atMinute(10)])
  })

  test('goes on with what was told before, and tells its recovery inside', () => {
    const server = new JudgedServer()
    assert.equal(server.reports(0, 20, FULL), 'down')
    server.cover(true)
    assert.equal(server.report(20, FULL), 'maintenance')
    assert.equal(server.reports(21, 40), 'up')
    assert.deepEqual(told(server), ['10 begins disk_space:/var', '31 ends disk_space:/var'])
  })

  test('that is told before goes on after it without being told again', () => {
    const server = new JudgedServer()
    server.reports(0, 20, FULL)
    server.cover(true)
    server.reports(20, 40, FULL)
    server.cover(false, 40)
    assert.equal(server.reports(40, 60, FULL), 'down')
    assert.equal(server.told.length, 1)
  })

  test('is degraded by what only warns, which is told at the end', () => {
    const server = new JudgedServer({ disk_space: { ...DEFAULT_THRESHOLDS.disk_space, warns_only: true } })
    server.cover(true)
    assert.equal(server.reports(0, 20, FULL), 'degraded')
    assert.deepEqual(told(server), [])
    server.cover(false, 20)
    assert.equal(server.report(20, FULL), 'degraded')
    assert.deepEqual(told(server), ['20 warns disk_space:/var'])
  })

  test('may be silent, and is told so when it still is at the end', () => {
    const server = new JudgedServer()
    server.report(0)
    server.cover(true)
    assert.equal(server.silence(10), 'maintenance')
    server.cover(false, 30)
    assert.equal(server.silence(30.1), 'down')
    assert.equal(server.silence(31), 'down')
    assert.deepEqual(server.told, [[30.1, 'begins', 'silent', 'no report for 30 minutes']])
    assert.deepEqual(server.startedAt, [atMinute(30)])
  })

  test('may be silent, and tells nothing when it reports before the end', () => {
    const server = new JudgedServer()
    server.report(0)
    server.cover(true)
    server.silence(10)
    assert.equal(server.report(20), 'up')
    assert.deepEqual(told(server), [])
  })
})
