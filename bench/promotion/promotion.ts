import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { FLAGS } from '../../test/support/entry.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { startConstantServer } from '../support/start-constant-server.ts'
import { compare, type Pair, type Row } from '../support/table.ts'
import type { PromotionOrder } from './process.ts'

const PROGRAM = join(import.meta.dirname, 'process.ts')

/** Bytes that a check leaves in the old part of V8's heap when it is over, though nothing needs them any more. */
export async function benchPromotion(scope: Scope, { rounds }: Options): Promise<Row[]> {
  const target = await startConstantServer(scope)
  const rows: Row[] = []
  for (const scheme of ['http', 'https'] as const) {
    const url = `${scheme}://127.0.0.1:${target.ports[scheme]}/100`
    const bytesLeft = (kind: PromotionOrder['kind']) => measure({ kind, url, authority: target.authority })
    const pairs: Pair[] = []
    for (let round = 1; round <= rounds; round++) {
      progress(`promotion by ${scheme}: round ${round} of ${rounds}`)
      pairs.push({ ours: await bytesLeft('checks'), reference: await bytesLeft('bare') })
    }
    const name = `${scheme.toUpperCase()} checks: each leaves in the old heap`
    rows.push(compare(name, 'B', 'a bare request of Node', pairs))
  }
  return rows
}

/** Bytes for each check or request. */
async function measure(order: PromotionOrder): Promise<number> {
  const child = fork(PROGRAM, { execArgv: FLAGS })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process that checks ended with ${code}`)
  })
  ended.catch(() => {})
  child.send(order)
  const [bytes] = await Promise.race([once(child, 'message'), ended])
  return bytes
}
