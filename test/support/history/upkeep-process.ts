// Tends the history of a database as of some time: tend-process.ts CONNECTION TIME
import { DEFAULT_PLANS } from '../../../src/core/teams/plan.ts'
import { upkeepRound } from '../../../src/engine/history/upkeep.ts'
import { openPatient } from '../postgres/patient-database.ts'

const [connection, time] = process.argv.slice(2) as [string, string]
const fail = (error: unknown) => {
  console.error(error)
  process.exitCode = 1
}
const db = openPatient(JSON.parse(connection))
const steps = upkeepRound({
  db,
  plans: DEFAULT_PLANS,
  now: () => new Date(time),
  onTrouble: fail,
  note: () => {},
  lookUpTxt: async () => [],
})
for await (const _step of steps) process.stdout.write('.')
await db.close()
