import type { DeliveryOutcome } from '../../core/alerting/delivery.ts'
import type { Database } from '../../postgres/database.ts'
import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'
import {
  answerMailTest,
  claimMailTest,
  type MailTestSettings,
  removeSomeMailTests,
} from '../../store/accounts/mail-tests.ts'
import type { Vault } from '../../store/sealing/vault.ts'

/** Processes are woken for a test; one that missed it looks in time for who waits. */
const LOOK_MS = 5_000

/** Sends mails that try settings before they are saved, one after another and each once, and keeps what was answered. */
export function startMailTestLoop(
  deps: {
    db: Database
    vault: Vault
    send: (settings: MailTestSettings, id: number, signal: AbortSignal) => Promise<DeliveryOutcome>
  } & LoopReports,
): Loop {
  const { db, vault, send, ...reports } = deps
  return startLoop({
    async work({ stopped }) {
      const test = await claimMailTest(db, vault)
      if (test === null) {
        await removeSomeMailTests(db)
        return LOOK_MS
      }
      const { kind, statusCode, detail } = await send(test.settings, test.id, stopped)
      await answerMailTest(db, test.id, { isSent: kind === 'sent', statusCode, detail })
      return 0
    },
    ...reports,
  })
}
