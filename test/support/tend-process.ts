// Tends the history of a database as of some time; kills itself so many milliseconds into a step, unless it is done
// before: tend-process.ts CONNECTION TIME STEPS MILLISECONDS
import { DEFAULT_PLANS } from '../../src/core/plan.ts'
import { tendOnce } from '../../src/engine/tend.ts'
import { openDatabase } from '../../src/store/database.ts'

const [connection, time, steps, milliseconds] = process.argv.slice(2) as [string, string, string, string]
let done = 0
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
for await (const _step of rounds) {
  if (++done === Number(steps)) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(milliseconds))
}
await db.close()
