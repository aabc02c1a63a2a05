// Tends the history of a database as of some time, until it is done or killed: tend-process.ts CONNECTION TIME
import { DEFAULT_PLANS } from '../../src/core/plan.ts'
import { tendOnce } from '../../src/engine/tend.ts'
import { openDatabase } from '../../src/store/database.ts'

const [connection, time] = process.argv.slice(2) as [string, string]
const fail = (error: unknown) => {
  console.error(error)
  process.exitCode = 1
}
const db = openDatabase(JSON.parse(connection), fail)
const rounds = tendOnce({
  db,
  plans: DEFAULT_PLANS,
  now: () => new Date(time),
  onTrouble: fail,
  note: () => {},
})
for await (const _step of rounds) process.stdout.write('.')
await db.close()
