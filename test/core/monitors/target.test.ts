import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MonitorType } from '../../../src/core/monitors/monitor.ts'
import { targetOf } from '../../../src/core/monitors/target.ts'

describe('the target as people read it', () => {
  const table: [type: MonitorType, url: string | null, port: number | null, shown: string | null][] = [
    ['http', 'https://shop.example/cart?a=1', 443, 'https://shop.example/cart?a=1'],
    ['ssl', 'https://shop.example:8443', null, 'https://shop.example:8443'],
    ['tcp', 'tcp://db.example/ignored', 5432, 'db.example:5432'],
    ['tcp', 'https://[2001:db8::1]', 22, '[2001:db8::1]:22'],
    ['icmp', 'ping://gateway.example', 80, 'gateway.example'],
    ['heartbeat', null, null, null],
  ]
  for (const [type, url, port, shown] of table) {
    test(`${type} ${url} ${port} is ${shown}`, () => {
      assert.equal(targetOf({ type, url, port }), shown)
    })
  }
})
