import { setTimeout as delay } from 'node:timers/promises'
import { databaseRoot, type Memory, memoryOf, treeMemory } from './processes.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { addMonitors, startSeededService } from './support/seeded-service.ts'
import { startConstantServer } from './support/start-constant-server.ts'
import { alone, compare, type Row } from './support/table.ts'

const MIB = 2 ** 20
/** Looked at so often, because a heap grows until it is collected. */
const LOOK_EVERY_MS = 5_000

/** Memory of the service and its database with so many HTTP monitors at 60 s in one process, part by part. */
export async function benchMemory(scope: Scope, { sizes, minutes }: Options): Promise<Row[]> {
  progress('memory: starting the service')
  const seeded = await startSeededService(scope)
  const bare = await startConstantServer(scope)
  const { service } = seeded
  const rows: Row[] = []
  let present = 0
  for (const size of sizes) {
    await addMonitors(seeded, size - present)
    present = size
    const looks: { own: Memory; database: Memory }[] = []
    const untilMs = Date.now() + minutes * 60_000
    while (Date.now() < untilMs) {
      await delay(LOOK_EVERY_MS)
      looks.push({ own: memoryOf(service.pid), database: treeMemory(databaseRoot(service.dataDir)) })
      progress(`memory: ${size} monitors, ${((untilMs - Date.now()) / 60_000).toFixed(1)} min to go`)
    }
    const name = `${size.toLocaleString('en-US')} monitors at 60 s`
    const bareMib = memoryOf(bare.pid).all / MIB
    const all = looks.map(({ own, database }) => (own.all + database.all) / MIB)
    const part = (text: string, read: (look: (typeof looks)[0]) => number) =>
      alone(
        `… ${text}`,
        'MiB',
        looks.map((look) => read(look) / MIB),
      )
    rows.push(
      compare(
        `${name}: memory (PSS), service + database`,
        'MiB',
        'an idle bare node:http server',
        all.map((mib) => ({ ours: mib, reference: bareMib })),
      ),
      alone('… the most of it', 'MiB', [Math.max(...all)]),
      part('service: heaps and stacks', ({ own }) => own.own),
      part('service: program and libraries', ({ own }) => own.files),
      part('database: own memory of its processes', ({ database }) => database.own),
      part('database: shared memory', ({ database }) => database.shared),
      part('database: program and libraries', ({ database }) => database.files),
    )
  }
  return rows
}
