import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { DELIVERY_LIST } from '../../../src/core/lists/delivery-list.ts'
import { changed, isFiltered, readSearch, type SearchOf } from '../../../src/core/lists/search.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { DeliveryList } from '../../parts/alerting/delivery.tsx'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { SelectField } from '../../parts/field.tsx'
import { ListFilters } from '../../parts/lists/list-filters.tsx'
import { SubjectFilter } from '../../parts/lists/subject-filter.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'

/** Every alert, with its attempts and the receiver's responses. */
export default function Deliveries() {
  const { id } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/deliveries' })
  const navigate = useNavigate({ from: '/teams/$team/deliveries' })
  const contacts = useQuery(question(id, 'listContacts', {}))
  const log = useQuery({
    ...question(id, 'listDeliveries', { query: search }),
    placeholderData: keepPreviousData,
  })
  const show = (change: SearchOf<typeof DELIVERY_LIST>) => void navigate({ search: changed(search, change) })

  return (
    <>
      <PageHead title={t('Delivery log')} actions={<ListMenu list="deliveries" query={search} />}>
        {t("Every alert, with each attempt to send it and the receiver's response.")}
      </PageHead>
      <ListFilters
        list={DELIVERY_LIST}
        search={search}
        onChange={show}
        fields={{
          contact: (
            <SelectField
              label={t('Contact')}
              value={search.contact ?? ''}
              onChange={({ target }) =>
                show({ contact: readSearch(DELIVERY_LIST, { contact: target.value }).contact })
              }
            >
              <option value="">{t('All contacts')}</option>
              {contacts.data?.data.map((contact) => (
                <option key={contact.id} value={contact.id}>
                  {contact.name}
                </option>
              ))}
            </SelectField>
          ),
          subject: <SubjectFilter team={id} value={search} onChange={show} />,
        }}
      />
      {log.error && !log.data ? (
        <Trouble error={log.error} within />
      ) : (
        <Panel isStale={log.isPlaceholderData}>
          {!log.data ? (
            <Waiting lines={8} />
          ) : log.data.data.length > 0 ? (
            <DeliveryList deliveries={log.data.data} team={id} />
          ) : isFiltered(DELIVERY_LIST, search) ? (
            <Empty
              title={t('No matching alerts')}
              action={<Button onClick={() => void navigate({ search: {} })}>{t('Show all')}</Button>}
            />
          ) : (
            <Empty title={t('No alerts yet')}>
              {t('Alerts appear here when a monitor, server or site goes down or recovers, and so do tests.')}
            </Empty>
          )}
          {log.data && <Pages meta={log.data.meta} onPage={(page) => show({ page })} />}
        </Panel>
      )}
    </>
  )
}
