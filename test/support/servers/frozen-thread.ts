import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** Listens and then stands still until `released` is set: the kernel answers for it, it never does. */
const { host, port, backlog, released } = workerData as {
  host: string
  port: number
  backlog: number
  released: Int32Array
}

const server = createServer((socket) => socket.destroy())
server.listen({ host, port, backlog }, () => {
  parentPort?.postMessage((server.address() as AddressInfo).port)
  Atomics.wait(released, 0, 0)
  server.close()
  parentPort?.close()
})
