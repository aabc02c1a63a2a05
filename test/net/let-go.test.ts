import assert from 'node:assert/strict'
import http from 'node:http'
import net from 'node:net'
import { test } from 'node:test'
import { letGoWhenClosed } from '../../src/net/let-go.ts'
import { until } from '../support/until.ts'

test('a socket that has closed leads to nothing that it was used for, and takes a late error', async (t) => {
  const server = http.createServer((_, response) => response.end('ok'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => server.close())
  const { port } = server.address() as net.AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  letGoWhenClosed(socket)
  const closed: string[] = []
  socket.once('close', () => closed.push('socket'))
  const request = http.request({ createConnection: () => socket, headers: { connection: 'close' } })
  request.on('response', (response) => response.resume().once('end', () => closed.push('response')))
  request.once('close', () => closed.push('request'))
  request.end()
  const messageOf = () => Reflect.get(socket, '_httpMessage')
  await until('the request is on the socket', () => messageOf() === request)
  await until('the socket is cut off', () => messageOf() === null)
  assert.deepEqual(closed.toSorted(), ['request', 'response', 'socket'])
  assert.deepEqual(socket.eventNames(), ['error'])
  socket.emit('error', new Error('late'))
})
