import { parentPort, workerData } from 'node:worker_threads'
import { createChecking } from './checking.ts'
import type { Config } from './config.ts'
import { follow, type Instruction, type Report } from './engine/checking-thread.ts'
import { createLog, troubleOf } from './log.ts'
import { openDatabase } from './store/database.ts'
import type { StoreAccess } from './store/store.ts'
import { Vault } from './store/vault.ts'

/** The entry of a thread that checks a share of the monitors; it lives until it is told to close. */
export type ThreadData = { config: Config; access: StoreAccess; terminal: boolean }

const { config, access, terminal } = workerData as ThreadData
const log = createLog(config.logLevel, terminal)
const db = openDatabase(access.connection, troubleOf(log, 'database'))
const vault = new Vault(access.secretKey, config.previousSecretKeys)
const checking = createChecking(config, db, vault, log, report)
const follower = { ...checking, moveTo: db.moveTo, close }

parentPort?.on('message', (instruction: Instruction) => follow(instruction, follower, report))
report({ kind: 'ready' })

function report(report: Report) {
  parentPort?.postMessage(report)
}

async function close() {
  await checking.close()
  await db.close()
  parentPort?.close()
}
