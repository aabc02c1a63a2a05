import type { PageModel } from '../core/status-pages/page-model.ts'
import { monthsOf, type PostTimes, startOfMonth } from '../core/status-pages/serving/post-times.ts'
import type { Services } from '../operations/services.ts'
import { readJudgedLogo } from '../operations/status-pages/judged-logo.ts'
import { createPageReader } from '../operations/status-pages/read-model.ts'
import type { ServedPage } from '../operations/status-pages/serving/followed-pages.ts'
import { removeOtherFolders, writePageFolder } from '../pages/status-pages/export/export-folder.ts'
import { exportFiles } from '../pages/status-pages/export/page-files.ts'
import { readPageVersions, readPostTimes, readServedPages } from '../store/status-pages/served-pages.ts'

type Exported = { pages: number; files: number; removed: string[] }

export function isExported({
  isPublished,
  visibility,
}: Pick<ServedPage, 'isPublished' | 'visibility'>): boolean {
  return isPublished && visibility === 'public'
}

/** Writes pages to `folder`; one page at a time. */
export function createStatusExport(
  services: Pick<Services, 'db' | 'siteUrl' | 'databaseNow'>,
  folder: string,
) {
  const { db } = services
  const reader = createPageReader(services)

  return {
    async write(page: Pick<ServedPage, 'id' | 'slug'>, model: PageModel, times: PostTimes): Promise<number> {
      const months = new Map<string, Awaited<ReturnType<typeof reader.readMonth>>['posts']>()
      for (const month of monthsOf(times, model)) {
        months.set(month, (await reader.readMonth(page.id, startOfMonth(month))).posts)
      }
      const logo = model.logoTag === null ? null : await readJudgedLogo(db.query, page.id)
      return writePageFolder(folder, page, await exportFiles({ model, months, logo: logo?.image ?? null }))
    },
    /** Removes what is no longer public. */
    keepOnly: (pages: Iterable<ServedPage | Pick<ServedPage, 'slug' | 'isPublished' | 'visibility'>>) =>
      removeOtherFolders(folder, new Set([...pages].filter(isExported).map(({ slug }) => slug))),
  }
}

/** Writes pages as they are made: each at its latest, one after another, beside everything else. */
export function followExport(
  target: ReturnType<typeof createStatusExport>,
  pages: { byId(id: number): ServedPage | null; all(): Iterable<ServedPage> },
  onTrouble: (error: unknown) => void,
) {
  const made = new Map<number, [PageModel, PostTimes]>()
  let work = Promise.resolve()

  function queue(next: () => Promise<unknown>): void {
    work = work.then(next).then(() => {}, onTrouble)
  }

  async function writeLatest(id: number): Promise<void> {
    const latest = made.get(id)
    made.delete(id)
    const page = pages.byId(id)
    if (latest && page && isExported(page)) await target.write(page, ...latest)
  }

  return {
    write(id: number, model: PageModel, times: PostTimes): void {
      if (!made.has(id)) queue(() => writeLatest(id))
      made.set(id, [model, times])
    },
    tidy: () => queue(() => target.keepOnly(pages.all())),
    close: () => work,
  }
}

/** Writes every public page once. */
export async function exportStatusPages(
  services: Pick<Services, 'db' | 'vault' | 'siteUrl' | 'databaseNow'>,
  folder: string,
): Promise<Exported> {
  const { db, vault } = services
  const versions = await readPageVersions(db)
  const pages = await readServedPages(
    db.query,
    vault,
    versions.map(({ id }) => id),
  )
  const target = createStatusExport(services, folder)
  const reader = createPageReader(services)
  const exported: Exported = { pages: 0, files: 0, removed: [] }
  for (const page of pages.filter(isExported)) {
    const model = await reader.readModel(page.id)
    if (!model) continue
    exported.files += await target.write(page, model, await readPostTimes(db.query, page.id))
    exported.pages++
  }
  return { ...exported, removed: await target.keepOnly(pages) }
}
