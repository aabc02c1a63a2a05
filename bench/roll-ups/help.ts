// A process that helps with the history of a database, until it is killed: help.ts CONNECTION
import { createHelp } from '../../src/engine/history/help.ts'
import { openPatient } from '../../test/support/postgres/patient-database.ts'
import { reportTrouble } from '../support/open-database.ts'

const db = openPatient(JSON.parse(process.argv[2] as string))
createHelp({ db, onTrouble: reportTrouble }).begin()
process.stdout.write('helping\n')
