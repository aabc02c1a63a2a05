import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { resultOfWord } from '../../core/monitors/manual.ts'
import type { Implementation } from '../implementation.ts'

/** Records what a person says of a manual monitor, as what a program says. */
export const switchMonitor: Implementation<'switchMonitor'> = {
  async perform({ recordWord, databaseNow }, { record, body }) {
    const { id, type, is_active } = record
    if (type !== 'manual')
      throw Refusal.invalid({ type: [said('is {type}: only a manual monitor is switched by hand', { type })] })
    if (!is_active)
      throw Refusal.invalid({
        is_active: [said('is false: a paused monitor is switched once it is resumed')],
      })
    const result = resultOfWord(body.state, body.message)
    if ((await recordWord(id, databaseNow(), result)) === 'stale') throw new Refusal('notFound')
    return {}
  },
}
