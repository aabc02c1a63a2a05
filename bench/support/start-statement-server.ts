import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Scope } from './scope.ts'
import type { StatementOrder } from './statement-server.ts'

const PROGRAM = join(import.meta.dirname, 'statement-server.ts')

export async function startStatementServer(
  scope: Scope,
  order: StatementOrder,
): Promise<{ pid: number; port: number }> {
  const child = fork(PROGRAM)
  const exited = once(child, 'exit')
  scope.after(async () => {
    if (child.connected) child.disconnect()
    await exited
  })
  child.send(order)
  const ready = once(child, 'message') as Promise<[number]>
  const failed = exited.then(([code]) => Promise.reject(new Error(`the reference ended with ${code}`)))
  failed.catch(() => {})
  const [port] = await Promise.race([ready, failed])
  return { pid: child.pid as number, port }
}
