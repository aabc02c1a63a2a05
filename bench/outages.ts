import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from './support/scope.ts'

/** Longer than any check and its alert should take. */
const PATIENCE_MS = 20_000

/** A target whose paths fail or answer as they are told, on the clock of performance.now(). */
export type FickleTarget = {
  url: string
  /** Lets a path fail (500) or answer (200) from now on; resolves with the time of its next answer. */
  turn(path: string, failing: boolean): Promise<number>
}

export async function startFickleTarget(scope: Scope): Promise<FickleTarget> {
  const failing = new Set<string>()
  const waiting = new Map<string, (at: number) => void>()
  const url = await listen(scope, ({ url = '/' }, response) => {
    response.writeHead(failing.has(url) ? 500 : 200).end()
    waiting.get(url)?.(performance.now())
    waiting.delete(url)
  })
  return {
    url,
    turn(path, fails) {
      if (fails) failing.add(path)
      else failing.delete(path)
      return inTime(`an answer of ${path}`, (resolve) => waiting.set(path, resolve))
    },
  }
}

/** A webhook's receiver that says when it is told of a monitor. */
export type AlertReceiver = {
  url: string
  /** Resolves with the time at which the next such alert comes in. */
  next(monitorId: number, event: string): Promise<number>
}

export async function startAlertReceiver(scope: Scope): Promise<AlertReceiver> {
  const waiting = new Map<string, (at: number) => void>()
  const url = await listen(scope, (request, response) => {
    const receivedAt = performance.now()
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      response.writeHead(204).end()
      const { id, event } = JSON.parse(body)
      waiting.get(`${event} ${id}`)?.(receivedAt)
      waiting.delete(`${event} ${id}`)
    })
  })
  return {
    url,
    next: (id, event) => inTime(`${event} of ${id}`, (resolve) => waiting.set(`${event} ${id}`, resolve)),
  }
}

function inTime(what: string, wait: (resolve: (at: number) => void) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), PATIENCE_MS)
    wait((at) => {
      clearTimeout(timer)
      resolve(at)
    })
  })
}

async function listen(scope: Scope, onRequest: RequestListener): Promise<string> {
  const server = http.createServer(onRequest)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  scope.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
