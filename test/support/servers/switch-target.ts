import { randomBytes } from 'node:crypto'
import type { Scope } from '../scope.ts'
import { startHttp } from './targets.ts'

/** A page whose status is set by the test; counts what it is asked. */
export type SwitchTarget = { url: string; status: number; asked: number }

export async function startSwitchTarget(scope: Scope, status = 200): Promise<SwitchTarget> {
  const target: SwitchTarget = { url: '', status, asked: 0 }
  const path = unguessedPath()
  const { port } = await startHttp(scope, (request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end()
      return
    }
    target.asked++
    response.writeHead(target.status).end()
  })
  target.url = `http://127.0.0.1:${port}${path}`
  return target
}

/** A service that checks what had the same port before asks for something else. */
export function unguessedPath(): string {
  return `/${randomBytes(6).toString('hex')}`
}
