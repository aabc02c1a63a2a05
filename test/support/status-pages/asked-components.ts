import { createPageReader } from '../../../src/operations/status-pages/read-model.ts'
import { readPageVersions } from '../../../src/store/status-pages/served-pages.ts'
import type { AskedService } from '../services/asked-service.ts'
import type { Team } from '../services/people.ts'

/** The owner of a team saves the layout of a page, which are these components. */
export function saveComponents({ id, owner }: Team, page: number, components: object[]) {
  return owner.ask(id, 'PUT', `/status-pages/${page}/layout`, {
    items: components.map((component) => ({ component: { name: 'Shop', monitor_id: null, ...component } })),
  })
}

/** The states of components as visitors of a page see them, and the version of the page. */
export function componentsOn(service: () => AskedService) {
  const shown = async (page: number) => {
    const model = await createPageReader(service().services).readModel(page)
    return (model?.items ?? []).flatMap((item) => ('component' in item ? item.component : []))
  }
  return {
    stateOf: async (page: number) => (await shown(page)).map(({ state }) => state),
    versionOf: async (page: number) =>
      (await readPageVersions(service().services.db)).find(({ id }) => id === page)?.version,
  }
}
