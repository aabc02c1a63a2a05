import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { PortRefused, refuseTakenPort } from '../src/port.ts'
import { turnClock } from './support/time/turned-clock.ts'

async function takePort(scope: { after: (free: () => void) => void }) {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => void server.close())
  return { server, port: (server.address() as AddressInfo).port }
}

function refusing(host: string, port: number): Promise<string> {
  return refuseTakenPort({ host, port }).then(
    () => 'free',
    (error) => (error instanceof PortRefused ? error.message : Promise.reject(error)),
  )
}

test('a port that another program keeps is refused in one line, once the service before would have drained', async (t) => {
  const { port } = await takePort(t)
  const clock = turnClock(t)
  const said = await clock.passUntil(refusing('127.0.0.1', port))
  assert.equal(said, `Port ${port} of 127.0.0.1 is in use: stop the program that has it, or set PORT.`)
})

test('a port that is free soon is taken, and left free', async (t) => {
  const { server, port } = await takePort(t)
  const clock = turnClock(t)
  const asked = refusing('127.0.0.1', port)
  server.close()
  assert.equal(await clock.passUntil(asked), 'free')
  assert.equal(await clock.passUntil(refusing('127.0.0.1', port)), 'free')
})

test('an address that this machine does not have is told as HOST', async () => {
  assert.equal(
    await refusing('203.0.113.7', 0),
    'HOST is "203.0.113.7", which is no address of this machine.',
  )
})
