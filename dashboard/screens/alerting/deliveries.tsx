import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { DELIVERY_LIST } from '../../../src/core/lists/delivery-list.ts'
import { changed, isFiltered, readSearch, type SearchOf } from '../../../src/core/lists/search.ts'
import { question } from '../../data/ask.ts'
import { periodQueryOf } from '../../data/lists/period-search.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { DeliveryList } from '../../parts/alerting/delivery.tsx'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/field.tsx'
import { useLiveRows } from '../../parts/lists/held-list.tsx'
import { ListFilters } from '../../parts/lists/list-filters.tsx'
import { ListRows } from '../../parts/lists/list-rows.tsx'
import { isRange, PeriodFields, usePeriod } from '../../parts/lists/period-filter.tsx'
import { SubjectFilter } from '../../parts/lists/subject-filter.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'

type DeliverySearch = SearchOf<typeof DELIVERY_LIST>

/** Every alert, with its attempts and the receiver's responses. */
export default function Deliveries() {
  const { id } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/deliveries' })
  const navigate = useNavigate({ from: '/teams/$team/deliveries' })
  const period = usePeriod(search)
  const contacts = useQuery(question(id, 'listContacts', {}))
  const useRows = (query: DeliverySearch, enabled: boolean) =>
    useQuery({
      ...question(id, 'listDeliveries', { query: periodQueryOf(query) }),
      placeholderData: keepPreviousData,
      enabled,
    })
  const { answer: log, held } = useLiveRows(useRows, search, { keyOf: (one) => String(one.id) })
  const show = (change: DeliverySearch) => void navigate({ search: changed<DeliverySearch>(change) })

  return (
    <>
      <PageHead
        title={t('Delivery log')}
        actions={<ListMenu list="deliveries" query={periodQueryOf(search)} />}
      >
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
          period: <PeriodFields search={search} period={period} onChange={show} />,
        }}
        more={isRange(period.value) ? ['9.5rem', '9.5rem'] : []}
      />
      <Panel isStale={log.isPlaceholderData}>
        <ListRows
          answer={log}
          held={held}
          none={<NoAlerts search={search} onShowAll={() => void navigate({ search: {} })} />}
          onPage={(page) => show({ page })}
        >
          {(deliveries) => <DeliveryList deliveries={deliveries} team={id} />}
        </ListRows>
      </Panel>
    </>
  )
}

function NoAlerts({ search, onShowAll }: { search: DeliverySearch; onShowAll: () => void }) {
  return isFiltered(DELIVERY_LIST, search) ? (
    <Empty title={t('No matching alerts')} action={<Button onClick={onShowAll}>{t('Show all')}</Button>} />
  ) : (
    <Empty title={t('No alerts yet')}>
      {t('Alerts appear here when a monitor, server or site goes down or recovers, and so do tests.')}
    </Empty>
  )
}
