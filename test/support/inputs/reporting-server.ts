import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import type { Machine } from '../../../src/core/servers/machine-report.ts'
import type { Sample } from '../../../src/core/servers/series.ts'
import { addServer } from '../records/servers.ts'
import { startServiceHere } from '../services/service-here.ts'
import { until } from '../until.ts'

type Reported = { machine: Machine; latest: Sample }

export type ReportingServer = {
  /** `http://127.0.0.1:1234/server/{token}` */
  address: string
  /** The figures of the newest reports, once all of these are known. */
  reported(...figures: string[]): Promise<Reported>
}

/** A service, and a server in it that waits for reports. */
export async function reportingServer(context: TestContext): Promise<ReportingServer> {
  const service = await startServiceHere()
  context.after(() => service.close())
  const { db } = service.services
  const { id, token } = await addServer(db)
  return {
    address: `${service.url}/server/${token}`,
    reported: (...figures) =>
      until(`reports with ${figures.join(', ')}`, async () => {
        const { machine, latest } = await db.query
          .selectFrom('server_state')
          .select(['machine', 'latest'])
          .where('server_id', '=', id)
          .executeTakeFirstOrThrow()
        return machine && latest && figures.every((figure) => figure in latest) ? { machine, latest } : null
      }),
  }
}

/** A program that runs until the end of a test. */
export function runUntilEnd(context: TestContext, program: string, args: string[], cwd: string): void {
  const child = spawn(program, args, { cwd, stdio: 'ignore' })
  const ended = once(child, 'exit').catch(() => {})
  context.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
}
