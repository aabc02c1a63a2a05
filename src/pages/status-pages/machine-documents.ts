import {
  type MachineDocument,
  machineDocuments,
} from '../../core/status-pages/documents/machine-documents.ts'
import type { PageModel } from '../../core/status-pages/page-model.ts'
import { renderPostBody } from './markdown.ts'

/** The documents of a page for programs, with texts and pictures drawn. `feedBase`: of a private page, with its token. */
export async function renderMachineDocuments(
  model: PageModel,
  { feedBase = model.url }: { feedBase?: string } = {},
): Promise<MachineDocument[]> {
  // Its tables of letter widths take a while to load, which must not delay the service's start.
  const { makeBadge } = await import('badge-maker')
  return machineDocuments(model, { renderBody: renderPostBody, drawBadge: makeBadge, feedBase })
}
