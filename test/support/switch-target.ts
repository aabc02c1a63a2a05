import type { Scope } from './scope.ts'
import { startHttp } from './targets.ts'

/** A page whose status is set by the test; counts what it is asked. */
export type SwitchTarget = { url: string; status: number; asked: number }

export async function startSwitchTarget(scope: Scope, status = 200): Promise<SwitchTarget> {
  const target: SwitchTarget = { url: '', status, asked: 0 }
  const { port } = await startHttp(scope, (_, response) => {
    target.asked++
    response.writeHead(target.status).end()
  })
  target.url = `http://127.0.0.1:${port}/`
  return target
}
