import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type AtlassianPath, atlassianDocuments } from '../../src/core/status-pages/documents/atlassian.ts'
import { requireGlobal } from '../support/programs.ts'
import { suiteScope } from '../support/scope.ts'
import { ALL_PAGES } from '../support/status-pages/all-pages.ts'
import { answerModels } from '../support/status-pages/answered-models.ts'

/** As far as it is used here. */
type Reader = {
  setApiUrl(url: string): void
  api: {
    getSummary(): Promise<unknown>
    getStatus(): Promise<unknown>
    getComponents(): Promise<unknown>
    incidents: { getAll(): Promise<unknown>; getUnresolved(): Promise<unknown> }
    scheduledMaintenances: { getUpcoming(): Promise<unknown> }
  }
}

/** Its other questions about maintenance ask for what is upcoming, too. */
const QUESTIONS: [path: AtlassianPath, ask: (reader: Reader) => Promise<unknown>][] = [
  ['api/v2/summary.json', ({ api }) => api.getSummary()],
  ['api/v2/status.json', ({ api }) => api.getStatus()],
  ['api/v2/components.json', ({ api }) => api.getComponents()],
  ['api/v2/incidents.json', ({ api }) => api.incidents.getAll()],
  ['api/v2/incidents/unresolved.json', ({ api }) => api.incidents.getUnresolved()],
  ['api/v2/scheduled-maintenances/upcoming.json', ({ api }) => api.scheduledMaintenances.getUpcoming()],
]

// Installed by `npm install --global statuspage.io@3.3.6`.
describe('statuspage.io, a reader of Statuspage, reads a page', () => {
  const scope = suiteScope()
  let addresses: Record<string, string>
  let create: (pageId: string) => Reader
  before(async () => {
    addresses = await answerModels(scope, ALL_PAGES)
    const { Statuspage } = requireGlobal('statuspage.io') as { Statuspage: new (pageId: string) => Reader }
    create = (pageId) => new Statuspage(pageId)
  })

  for (const [name, model] of Object.entries(ALL_PAGES)) {
    it(`that is ${name}`, async () => {
      const reader = create(name)
      reader.setApiUrl(addresses[name] as string)
      const documents = atlassianDocuments(model)
      for (const [path, ask] of QUESTIONS) {
        assert.deepEqual(await ask(reader), JSON.parse(JSON.stringify(documents[path])), path)
      }
    })
  }
})
