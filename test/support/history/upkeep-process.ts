// Tends the history of a database as of some time, or helps with it: upkeep-process.ts CONNECTION TIME | help
import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_PLANS } from '../../../src/core/teams/plan.ts'
import { helpRound } from '../../../src/engine/history/help.ts'
import { upkeepRound } from '../../../src/engine/history/upkeep.ts'
import { openPatient } from '../postgres/patient-database.ts'

const HELP_EVERY_MS = 5
const [connection, time] = process.argv.slice(2) as [string, string]
const fail = (error: unknown) => {
  console.error(error)
  process.exitCode = 1
}
const failForGood = (error: unknown) => {
  console.error(error)
  process.exit(1)
}
const db = openPatient(JSON.parse(connection))
const tend = () =>
  upkeepRound({
    db,
    plans: DEFAULT_PLANS,
    now: () => new Date(time),
    onTrouble: fail,
    note: () => {},
    lookUpTxt: async () => [],
  })
do {
  const steps = time === 'help' ? helpRound({ db, onTrouble: failForGood }) : tend()
  for await (const _step of steps) process.stdout.write('.')
  if (time === 'help') await delay(HELP_EVERY_MS)
} while (time === 'help')
await db.close()
