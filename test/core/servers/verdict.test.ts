import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { JudgedServer } from '../../support/records/judged-server.ts'

const VAR = 'file_system_used_percent:/var'

describe('the meaning of reports', () => {
  test('a disk that fills up, and is cleaned', () => {
    const server = new JudgedServer()
    assert.equal(server.report(0), 'up')
    assert.equal(server.reports(1, 11, { [VAR]: 93 }), 'up')
    assert.equal(server.report(11, { [VAR]: 93 }), 'down')
    assert.equal(server.reports(12, 20, { [VAR]: 84 }), 'down')
    assert.equal(server.reports(20, 23, { [VAR]: 84 }), 'up')
    assert.deepEqual(server.told, [
      [11, 'begins', 'disk_space:/var', '/var is 93 % full (18.6 of 20 GB)'],
      [22, 'ends', 'disk_space:/var', '/var is 84 % full (16.8 of 20 GB)'],
    ])
  })

  test('a silence, and the first report after it', () => {
    const server = new JudgedServer()
    assert.equal(server.silence(0), 'pending')
    server.report(0)
    assert.equal(server.silence(2.9), 'up')
    assert.equal(server.silence(3), 'down')
    assert.equal(server.silence(4), 'down')
    assert.equal(server.report(12), 'up')
    assert.deepEqual(server.told, [
      [3, 'begins', 'silent', 'no report for 3 minutes'],
      [12, 'ends', 'silent', 'reports again after 12 minutes'],
    ])
  })
})
