import { Refusal } from '../../core/errors.ts'
import type { Implementation } from '../implementation.ts'
import { createPageReader } from './read-model.ts'

export const previewStatusPage: Implementation<'previewStatusPage'> = {
  async perform(services, { record, body }) {
    // A reader of its own: charts that are kept for visitors stay those of the saved page.
    const model = await createPageReader(services).readModel(record.id, body)
    if (!model) throw new Refusal('notFound')
    return { body: { data: services.renderPreview(model) } }
  },
}
