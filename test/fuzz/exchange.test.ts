import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { it } from 'node:test'
import { startHttp } from '../support/servers/targets.ts'
import { exchange } from './exchange.ts'

const ANSWERS = [
  { status: 503, headers: { 'retry-after': '5' }, isBusy: true },
  { status: 503, headers: {}, isBusy: false },
  { status: 500, headers: { 'retry-after': '5' }, isBusy: false },
  { status: 429, headers: { 'retry-after': '5' }, isBusy: false },
]

for (const { status, headers, isBusy } of ANSWERS) {
  it(`an answer of ${status} with ${JSON.stringify(headers)} is ${isBusy ? '' : 'not '}that of a busy service`, async (t) => {
    const { port } = await startHttp(t, (_, response) => response.writeHead(status, headers).end())
    const agent = new Agent()
    t.after(() => agent.destroy())
    const request = { name: 'any', method: 'GET', path: '/', headers: {} }
    assert.deepEqual(await exchange(`http://127.0.0.1:${port}`, agent, request), { status, isBusy })
  })
}
