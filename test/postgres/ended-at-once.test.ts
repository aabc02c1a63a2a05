import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { it } from 'node:test'
import { openDatabase } from '../../src/postgres/database.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'

const SSL_REQUEST = 80_877_103

/** A message of the protocol: its type, its length with itself, and its body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const texts = (...parts: string[]) => Buffer.from(parts.map((part) => `${part}\0`).join(''))
/** A server that is shut down while a client connects, as PostgreSQL says it, in one packet. */
const READY_AND_ENDED = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('S', texts('in_hot_standby', 'off')),
  message('S', texts('default_transaction_read_only', 'off')),
  message('Z', Buffer.from('I')),
  message(
    'E',
    texts('SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''),
  ),
])

it('a connection that the server ends in the packet in which it begins fails its statement, not the process', async (t) => {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if ((data as Buffer).readInt32BE(4) === SSL_REQUEST) socket.write('N')
      else socket.end(READY_AND_ENDED)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const db = openDatabase(
    { host: '127.0.0.1', port, user: 'upbeat', database: 'upbeat', connectTimeoutMs: HANG_GUARD_MS },
    () => {},
  )
  t.after(async () => {
    await db.close()
    server.close()
  })
  await assert.rejects(db.pool.query('SELECT 1'))
  const client = db.newClient('backup')
  await client.connect().then(() => assert.rejects(client.query('SELECT 1')))
})
