import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Scope } from '../support/scope.ts'
import type { TargetOrder, TargetReport } from './target-server.ts'

const PROGRAM = join(import.meta.dirname, 'target-server.ts')

/** The one server that all peers check. */
export type Target = {
  urlOf(monitor: number): string
  /** Forgets who asked before. Resolves with the time at which each of so many monitors had been checked. */
  begin(monitors: number): Promise<number>
  /** When each monitor was checked since, in milliseconds since 1970. */
  read(): Promise<number[][]>
}

export async function startTarget(scope: Scope): Promise<Target> {
  const child = fork(PROGRAM)
  const exited = once(child, 'exit')
  scope.after(async () => {
    if (child.connected) child.disconnect()
    await exited
  })
  const next = <K extends TargetReport['kind']>(kind: K) =>
    new Promise<TargetReport & { kind: K }>((resolve, reject) => {
      const take = (report: TargetReport) => {
        if (report.kind !== kind) return
        child.off('message', take)
        resolve(report as TargetReport & { kind: K })
      }
      child.on('message', take)
      child.once('exit', (code) => reject(new Error(`the target ended with ${code}`)))
    })
  const order = (order: TargetOrder) => child.send(order)
  const { port } = await next('listening')
  return {
    urlOf: (monitor) => `http://127.0.0.1:${port}/monitors/${monitor}`,
    async begin(monitors) {
      const asked = next('all asked')
      order({ kind: 'begin', monitors })
      return (await asked).atMs
    },
    async read() {
      const times = next('times')
      order({ kind: 'read' })
      return (await times).timesMs
    },
  }
}
