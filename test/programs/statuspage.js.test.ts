import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type AtlassianPath, atlassianDocuments } from '../../src/core/status-pages/documents/atlassian.ts'
import { requireGlobal } from '../support/programs.ts'
import { suiteScope } from '../support/scope.ts'
import { ALL_PAGES } from '../support/status-pages/all-pages.ts'
import { answerModels } from '../support/status-pages/answered-models.ts'

const QUESTIONS = {
  summary: 'api/v2/summary.json',
  status: 'api/v2/status.json',
  components: 'api/v2/components.json',
  allIncidents: 'api/v2/incidents.json',
  unresolvedIncidents: 'api/v2/incidents/unresolved.json',
  allScheduledMaintenances: 'api/v2/scheduled-maintenances.json',
  activeScheduledMaintenances: 'api/v2/scheduled-maintenances/active.json',
  upcomingScheduledMaintenances: 'api/v2/scheduled-maintenances/upcoming.json',
} satisfies Record<string, AtlassianPath>

/** As far as it is used here; `axios` is how it asks, with the address in its settings. */
type Reader = Record<keyof typeof QUESTIONS, () => Promise<unknown>> & {
  axios: { defaults: { baseURL: string } }
}

/** It makes dates of whatever looks like one: these, and nothing else, have to. */
const TIMES = /(_at|_date|_for|_until)$/

// Installed by `npm install --global statuspage.js@1.0.17`.
describe('statuspage.js, a reader of Statuspage, reads a page', () => {
  const scope = suiteScope()
  let addresses: Record<string, string>
  let create: (pageId: string) => Reader
  before(async () => {
    addresses = await answerModels(scope, ALL_PAGES)
    const { Statuspage } = requireGlobal('statuspage.js') as { Statuspage: new (pageId: string) => Reader }
    create = (pageId) => new Statuspage(pageId)
  })

  for (const [name, model] of Object.entries(ALL_PAGES)) {
    it(`that is ${name}`, async () => {
      const reader = create(name)
      reader.axios.defaults.baseURL = reader.axios.defaults.baseURL.replace(
        /^.*(?=\/api\/v2$)/,
        addresses[name] as string,
      )
      const documents = atlassianDocuments(model)
      for (const [question, path] of Object.entries(QUESTIONS)) {
        const told = await reader[question as keyof typeof QUESTIONS]()
        assert.deepEqual(told, withDates(documents[path]), path)
      }
    })
  }
})

function withDates(document: object): unknown {
  return JSON.parse(JSON.stringify(document), (key, value) =>
    TIMES.test(key) && typeof value === 'string' ? new Date(value) : value,
  )
}
