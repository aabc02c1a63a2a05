// A process of its own: the target of every peer's checks. It answers `/monitors/<n>` with 100 bytes, keeps when each of
// them was asked for, and says when all have been. It is started by target.ts.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `begin` forgets all before it; `read` is answered with the times. */
export type TargetOrder = { kind: 'begin'; monitors: number } | { kind: 'read' }
/** Times in milliseconds since 1970, `timesMs` in the order of the monitors. */
export type TargetReport =
  | { kind: 'listening'; port: number }
  | { kind: 'all asked'; atMs: number }
  | { kind: 'times'; timesMs: number[][] }

const TEXT = Buffer.from(JSON.stringify('x'.repeat(98)))
const HEADERS = { 'content-type': 'application/json', 'content-length': TEXT.length }

let timesMs: number[][] = []
let missing = 0

const server = createServer((request, response) => {
  const times = timesMs[Number(request.url?.slice('/monitors/'.length))]
  if (times === undefined) return void response.writeHead(404).end()
  const atMs = performance.timeOrigin + performance.now()
  if (times.push(atMs) === 1 && --missing === 0) report({ kind: 'all asked', atMs })
  request.resume()
  response.writeHead(200, HEADERS).end(TEXT)
})

process.on('disconnect', () => process.exit())
process.on('message', (order: TargetOrder) => {
  if (order.kind === 'read') return report({ kind: 'times', timesMs })
  timesMs = Array.from({ length: order.monitors }, () => [])
  missing = order.monitors
})
server.listen(0, '127.0.0.1', () =>
  report({ kind: 'listening', port: (server.address() as AddressInfo).port }),
)

function report(message: TargetReport): void {
  process.send?.(message)
}
