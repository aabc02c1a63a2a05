import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serverOfTarget } from '../../../src/core/monitors/server-of-target.ts'

const SERVERS = [
  { name: 'Web by label', hostName: 'web-1' },
  { name: 'Web', hostName: 'WEB-1.example.com' },
  { name: 'Ten', hostName: '10' },
  { name: 'Here', hostName: 'localhost' },
  { name: 'Address', hostName: '192.0.2.7' },
]

describe('the server that a target is on', () => {
  for (const [url, server] of [
    ['https://web-1.example.com/health?a=b', 'Web'],
    ['https://Web-1.Example.com.:8443/', 'Web'],
    ['tcp://WEB-1.example.com:22', 'Web'],
    ['https://web-1.example.org/', 'Web by label'],
    ['http://web-1/', 'Web by label'],
    ['https://www.web-1.example.com/', null],
    ['https://web-12.example.com/', null],
    ['https://other.example.com/web-1.example.com', null],
    ['ping://192.0.2.7', 'Address'],
    ['http://10.0.0.1/', null],
    ['http://localhost:3000/', null],
    [null, null],
  ] as const) {
    it(`of ${url} is ${server}`, () => assert.equal(serverOfTarget(url, SERVERS), server))
  }
})
