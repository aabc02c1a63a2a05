import { openLetter } from '../../../src/store/accounts/letters.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { until } from '../../support/until.ts'

/** The link of the letter to an address, which waits, since nothing sends it; some are written after the answer. */
export async function mailedLink({ services: { db, vault } }: AskedService, email: string): Promise<URL> {
  const letter = await until(`a letter to ${email}`, async () => {
    const { rows } = await db.pool.query<{ content: string; messageId: string }>(
      'SELECT content, message_id AS "messageId" FROM letters ORDER BY id DESC LIMIT 50',
    )
    return rows.map((row) => openLetter(vault, row)).find(({ to }) => to === email)
  })
  return new URL(letter.link)
}
