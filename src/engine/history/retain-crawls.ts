import { fixedCutoff, forgottenCutoff } from '../../core/history/history-span.ts'
import type { Database } from '../../postgres/database.ts'
import {
  CRAWL_TABLES,
  pastCrawls,
  removeCrawls,
  removeSomeFixed,
  removeSomeOfCrawls,
} from '../../store/sites/past-crawls.ts'

const CRAWLS_PER_STEP = 50

/** Removes crawls that a newer one replaced, or whose site is deleted, and findings that were fixed long ago. */
export async function* retainCrawls(db: Database, at: Date): AsyncGenerator<void> {
  for (;;) {
    const ids = await pastCrawls(db, forgottenCutoff(at), CRAWLS_PER_STEP)
    if (ids.length === 0) break
    for (const table of CRAWL_TABLES) {
      while (await removeSomeOfCrawls(db, table, ids)) yield
      yield
    }
    await removeCrawls(db, ids)
    yield
  }
  while (await removeSomeFixed(db, fixedCutoff(at))) yield
  yield
}
