// A process that listens: prints whether a job is able to reach it, with descriptors to spare and with a single one.
import { closeSync, openSync } from 'node:fs'
import type { Server } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { hasSpareDescriptors } from '../../../src/net/own-trouble.ts'
import { isAnswered, listen } from '../../../src/roles/http-server.ts'

const HOST = '127.0.0.1'
const CROWD = 8

const app = new Hono().get('/health/live', (context) => context.text(''))
const server: Server = await listen(app, { host: HOST, port: 0 })
const { port } = server.address() as { port: number }
const withSpare = await look()
await untilAllClosed()
leaveOneDescriptor()
const withOne = await look()
process.stdout.write(JSON.stringify({ withSpare, withOne }))
process.exit()

async function look() {
  return { isForCrowd: hasSpareDescriptors(CROWD), isAnswered: await isAnswered(HOST, port) }
}

/** A connection that is still being closed would leave two more. */
async function untilAllClosed() {
  const connections = promisify(server.getConnections.bind(server))
  const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap')
  while ((await connections()) > 0 || open().length > 0) await turn()
}

function leaveOneDescriptor() {
  for (let last: number | null = null; ; ) {
    try {
      last = openSync('/dev/null', 'r')
    } catch {
      if (last !== null) closeSync(last)
      return
    }
  }
}
