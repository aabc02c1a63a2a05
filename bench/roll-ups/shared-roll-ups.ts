import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { rollUp } from '../../src/engine/history/roll-up.ts'
import { startRounds, timed } from '../../src/engine/history/rounds.ts'
import { type Database, inTransaction } from '../../src/postgres/database.ts'
import { writeHoursUntil } from '../../src/store/history/history-progress.ts'
import { until } from '../../test/support/until.ts'
import { cpuMicros, databaseRoot, treeCpuMicros } from '../processes.ts'
import { reportTrouble } from '../support/open-database.ts'
import { progress } from '../support/progress.ts'
import { pairsOf, type Round } from '../support/rounds.ts'
import type { Scope } from '../support/scope.ts'
import { compare, type Row } from '../support/table.ts'

const HELP = join(import.meta.dirname, 'help.ts')
/** Longer than any measurement: one round is one hour of checks. */
const PAUSE_MS = 3_600_000

type Cost = { ms: number; cpuMs: number }

/**
 * An hour of all monitors with the rests of upkeep at work, by one process and by two in turn. A second one looks
 * for work every five seconds.
 */
export async function benchSharedRollUps(
  scope: Scope,
  db: Database,
  dataDir: string,
  { hour, later }: { hour: Date; later: Date },
  rounds: number,
): Promise<Row[]> {
  const measure = async (helpers: ChildProcess[]): Promise<Cost> => {
    const cpu = () =>
      [process.pid, ...helpers.map(({ pid }) => pid as number)].reduce(
        (sum, pid) => sum + cpuMicros(pid),
        treeCpuMicros(databaseRoot(dataDir)),
      ) / 1_000
    await inTransaction(db.pool, (client) => writeHoursUntil(client, hour))
    const [began, cpuBefore] = [performance.now(), cpu()]
    const leading = startRounds(
      () => timed(rollUp({ db, now: () => later })),
      () => PAUSE_MS,
      { onTrouble: reportTrouble },
    )
    await until('the hour is rolled up', async () => {
      const { rowCount } = await db.pool.query('SELECT FROM history_progress WHERE hours_until > $1', [hour])
      return rowCount === 1
    })
    const cost = { ms: performance.now() - began, cpuMs: cpu() - cpuBefore }
    await leading.close()
    return cost
  }
  const measured: Round<Cost>[] = []
  for (let round = 1; round <= rounds; round++) {
    progress(`rollups, shared: round ${round} of ${rounds}`)
    const reference = await measure([])
    const helper = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', HELP, JSON.stringify(db.connection)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    scope.after(async () => {
      helper.kill('SIGKILL')
    })
    await once(helper.stdout, 'data')
    measured.push({ ours: await measure([helper]), reference })
    helper.kill('SIGKILL')
    await once(helper, 'exit')
  }
  const reference = 'one process'
  return [
    compare(
      'The same hour, with the rests of upkeep, by two processes',
      'ms',
      reference,
      pairsOf(measured, ({ ms }) => ms),
    ),
    compare(
      '… CPU, with the database',
      'ms',
      reference,
      pairsOf(measured, ({ cpuMs }) => cpuMs),
    ),
  ]
}
