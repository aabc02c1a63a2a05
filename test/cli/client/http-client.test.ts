import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { askData } from '../../../src/cli/client/client.ts'
import { httpClient, readAddress } from '../../../src/cli/client/http-client.ts'
import { until } from '../../support/until.ts'

type Answering = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** A client of a server that answers as the test says; `said` is what a person reads meanwhile. */
async function clientOf(context: TestContext, answering: Answering) {
  let count = 0
  const server = createServer((request, response) => answering(request, response, ++count))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  context.after(() => server.closeAllConnections())
  context.after(() => new Promise((resolve) => server.close(resolve)))
  const said: string[] = []
  const url = `http://127.0.0.1:${port}`
  const client = httpClient({ url, token: 'upb_x', insecure: false }, (line) => said.push(line))
  return { client, url, said, asked: () => count, port }
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

describe('asking a service over HTTP', { concurrency: true }, () => {
  test('waits as long as the rate limit says, and tells a person', async (context) => {
    const { client, said } = await clientOf(context, (_, response, count) =>
      count === 1
        ? json(response, 429, {}, { 'retry-after': '1' })
        : json(response, 200, { data: { id: 7 } }),
    )
    assert.deepEqual(await askData(client, 'getTeam'), { id: 7 })
    assert.deepEqual(said, ['the rate limit is used up; going on in 1 s'])
  })

  test('takes a limit of an hour as the answer', async (context) => {
    const detail = 'This team has asked 30 addresses.'
    const { client, said, asked } = await clientOf(context, (_, response) =>
      json(response, 429, { detail }, { 'retry-after': '3600' }),
    )
    await assert.rejects(askData(client, 'createContact', { body: {} }), { status: 429, message: detail })
    assert.deepEqual([said, asked()], [[], 1])
  })

  test('knows how much of the rate limit is left, by the last answer', async (context) => {
    const { client } = await clientOf(context, (_, response, count) =>
      json(
        response,
        200,
        { data: {} },
        { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': String(60 - count) },
      ),
    )
    assert.equal(client.pace(), null)
    for (const left of [59, 58]) {
      await askData(client, 'getTeam')
      assert.deepEqual(client.pace(), { perMinute: 60, left })
    }
  })

  test('stops waiting for the rate limit when it is told to', async (context) => {
    const { client, said } = await clientOf(context, (_, response) =>
      json(response, 429, {}, { 'retry-after': '60' }),
    )
    const stop = new AbortController()
    const asking = client.ask('getTeam', { signal: stop.signal })
    await until('it waits', () => said.length > 0)
    stop.abort()
    await assert.rejects(asking)
  })

  test('asks again what may be asked twice, and makes nothing twice', async (context) => {
    const { client, said, asked } = await clientOf(context, (request, response, count) => {
      if (count === 2)
        json(response, 200, { data: { path: request.url, token: request.headers.authorization } })
      else request.destroy()
    })
    const path = '/api/v1/monitors/3'
    assert.deepEqual(await askData(client, 'getMonitor', { params: { monitor: 3 } }), {
      path,
      token: 'Bearer upb_x',
    })
    assert.match(said[0] ?? '', /^http:\S+ cannot be reached: .*; trying again in 0\.5 s$/)
    await assert.rejects(client.ask('createMonitor', { body: {} }), /cannot be reached/)
    assert.equal(asked(), 3)
  })

  test('asks again a service that is starting', async (context) => {
    const { client, said } = await clientOf(context, (_, response, count) =>
      count === 1 ? json(response, 503, {}) : json(response, 200, { data: {} }),
    )
    await askData(client, 'getTeam')
    assert.match(said[0] ?? '', /is unavailable \(HTTP 503\); trying again in 0\.5 s$/)
  })

  test('a deletion whose answer was lost is one that is done', async (context) => {
    const { client } = await clientOf(context, (request, response, count) =>
      count === 1 ? request.destroy() : json(response, 404, { title: 'Not Found' }),
    )
    assert.equal((await client.ask('deleteMonitor', { params: { monitor: 3 } })).status, 204)
  })

  test('follows no redirect with the token, and says where it leads', async (context) => {
    const { client, asked } = await clientOf(context, (_, response) =>
      response.writeHead(301, { location: 'https://elsewhere.example/' }).end(),
    )
    await assert.rejects(
      client.ask('createContact', { body: {} }),
      /redirects to https:\/\/elsewhere\.example/,
    )
    assert.equal(asked(), 1)
  })

  test('says that an address is none of the API', async (context) => {
    const { client } = await clientOf(context, (_, response) => response.end('<html>hello</html>'))
    await assert.rejects(
      client.ask('createContact', { body: {} }),
      /does not answer as the API does \(HTTP 200\)/,
    )
  })

  test('says so, too, where the API is not below the address, but a missing record is a refusal', async (context) => {
    const { client } = await clientOf(context, (_, response) => json(response, 404, { title: 'Not Found' }))
    const isWrong = /does not answer as the API does \(HTTP 404\): is the address right\?$/
    await assert.rejects(client.ask('createMonitor', { body: {} }), isWrong)
    assert.equal((await client.ask('getMonitor', { params: { monitor: 3 } })).status, 404)
  })

  test('an address is a service’s, with or without the API’s path', () => {
    const table: [text: string, insecure: boolean, address: string | RegExp][] = [
      ['https://a.example', false, 'https://a.example'],
      ['https://a.example/', false, 'https://a.example'],
      ['https://a.example:8443/upbeat/api/v1/', false, 'https://a.example:8443/upbeat'],
      ['http://localhost:3000', false, 'http://localhost:3000'],
      ['http://127.0.0.2', false, 'http://127.0.0.2'],
      ['http://[::1]:3000', false, 'http://[::1]:3000'],
      ['http://10.0.0.1', true, 'http://10.0.0.1'],
      ['http://10.0.0.1', false, /--insecure/],
      ['http://localhost.example.com', false, /--insecure/],
      ['a.example', false, /no address such as/],
      ['https://u:p@a.example', false, /no address such as/],
      ['https://a.example?x', false, /no address such as/],
    ]
    for (const [text, insecure, address] of table) {
      if (typeof address === 'string') assert.equal(readAddress(text, insecure), address)
      else assert.throws(() => readAddress(text, insecure), address, text)
    }
  })
})
