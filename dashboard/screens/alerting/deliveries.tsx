import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { DeliveryState } from '../../../src/core/alerting/delivery-state.ts'
import { question } from '../../data/ask.ts'
import type { DeliverySearch } from '../../data/delivery-search.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { DeliveryList, deliveryWord } from '../../parts/alerting/delivery.tsx'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { SelectField } from '../../parts/field.tsx'
import { countUsed, Filters } from '../../parts/lists/filters.tsx'
import { SubjectFilter } from '../../parts/lists/subject-filter.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'

/** Every alert, with its attempts and the receiver's responses. */
export default function Deliveries() {
  const { id } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/deliveries' })
  const navigate = useNavigate()
  const contacts = useQuery(question(id, 'listContacts', {}))
  const log = useQuery({
    ...question(id, 'listDeliveries', { query: search }),
    placeholderData: keepPreviousData,
  })
  function show(next: DeliverySearch) {
    const kept = Object.entries(next).filter(([, value]) => value !== undefined)
    const params = { team: String(id) }
    void navigate({ to: '/teams/$team/deliveries', params, search: Object.fromEntries(kept) })
  }
  const { monitor, server, site, contact, state } = search
  const used = countUsed(contact, state, monitor ?? server ?? site)

  return (
    <>
      <PageHead title={t('Delivery log')} actions={<ListMenu list="deliveries" query={search} />}>
        {t("Every alert, with each attempt to send it and the receiver's response.")}
      </PageHead>
      <Filters used={used} columns="lg:max-w-4xl lg:grid-cols-3">
        <SelectField
          label={t('Contact')}
          value={contact ?? ''}
          onChange={({ target: { value } }) =>
            show({ ...without(search, 'contact'), ...(value && { contact: Number(value) }) })
          }
        >
          <option value="">{t('All contacts')}</option>
          {contacts.data?.data.map((contact) => (
            <option key={contact.id} value={contact.id}>
              {contact.name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('Status')}
          value={state ?? ''}
          onChange={({ target: { value } }) =>
            show({ ...without(search, 'state'), ...(value && { state: value as DeliveryState }) })
          }
        >
          <option value="">{t('All statuses')}</option>
          {DeliveryState.options.map((state) => (
            <option key={state} value={state}>
              {deliveryWord(state)}
            </option>
          ))}
        </SelectField>
        <SubjectFilter
          team={id}
          value={{ monitor, server, site }}
          onChange={(subject) => show({ ...search, page: undefined, ...subject })}
        />
      </Filters>
      {log.error && !log.data ? (
        <Trouble error={log.error} within />
      ) : (
        <Panel isStale={log.isPlaceholderData}>
          {!log.data ? (
            <Waiting lines={8} />
          ) : log.data.data.length > 0 ? (
            <DeliveryList deliveries={log.data.data} team={id} />
          ) : used > 0 ? (
            <Empty
              title={t('No matching alerts')}
              action={<Button onClick={() => show({})}>{t('Show all')}</Button>}
            />
          ) : (
            <Empty title={t('No alerts yet')}>
              {t('Alerts appear here when a monitor, server or site goes down or recovers, and so do tests.')}
            </Empty>
          )}
          {log.data && <Pages meta={log.data.meta} onPage={(page) => show({ ...search, page })} />}
        </Panel>
      )}
    </>
  )
}

/** A changed filter starts at the first page. */
function without({ page: _page, ...search }: DeliverySearch, name: 'contact' | 'state'): DeliverySearch {
  const { [name]: _dropped, ...rest } = search
  return rest
}
