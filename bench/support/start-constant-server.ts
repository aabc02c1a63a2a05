import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createAuthority } from '../../test/support/servers/certificates.ts'
import type { Order, Ports } from './constant-server.ts'
import type { Scope } from './scope.ts'

const PROGRAM = join(import.meta.dirname, 'constant-server.ts')

export type ConstantServer = {
  pid: number
  ports: Ports
  /** PEM of the made-up authority that issued its certificate. */
  authority: string
}

/** `hosts`: more addresses of the loopback that it answers at, for so many connections that one has too few ports. */
export async function startConstantServer(scope: Scope, hosts: string[] = []): Promise<ConstantServer> {
  const authority = createAuthority('Upbeat benchmark authority')
  const child = fork(PROGRAM)
  const exited = once(child, 'exit')
  scope.after(async () => {
    if (child.connected) child.disconnect()
    await exited
  })
  const order: Order = { certificate: authority.issue({}), hosts }
  child.send(order)
  const ready = once(child, 'message') as Promise<[Ports]>
  const failed = exited.then(([code]) => Promise.reject(new Error(`the target ended with ${code}`)))
  failed.catch(() => {})
  const [ports] = await Promise.race([ready, failed])
  return { pid: child.pid as number, ports, authority: authority.pem }
}
